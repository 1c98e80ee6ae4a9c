import { readPackageFile } from "../src/ops/package-root.ts";

/** One recorded call: its arguments and the body of the response. */
export interface ApiExample {
  readonly operationId: string;
  /** Arguments by name, from path, query, header and body. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

export interface ApiExamples {
  /** One successful call of each operation. */
  readonly operations: readonly ApiExample[];
  /** One call that fails with each code. */
  readonly problems: readonly ApiExample[];
}

/** File of the recorded calls, which `npm run docs` writes. */
export const API_EXAMPLES_FILE = "fixtures/api-examples.json";

/** The base address in the recorded calls. */
export const RECORDED_URL = "http://127.0.0.1:3000";

/** The recorded calls, with `publicUrl` instead of the recorded address. */
export function readApiExamples(publicUrl = RECORDED_URL): ApiExamples {
  return JSON.parse(readPackageFile(API_EXAMPLES_FILE).replaceAll(RECORDED_URL, publicUrl));
}
