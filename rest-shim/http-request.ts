import { API_BASE } from "../src/http/request.ts";
import { bodySchemaOf, PLACEHOLDER, parametersOf } from "./parameters.ts";
import type { RestOperation } from "./rest-operation.ts";

interface HttpRequest {
  readonly method: string;
  /** From the root of the service, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for an operation without a body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/** How a client sends these arguments to an operation. */
export function httpRequest(row: RestOperation, args: Arguments): HttpRequest {
  const parameters = parametersOf(row).filter(({ argument }) => args[argument] !== undefined);
  const valuesIn = (where: string) =>
    Object.fromEntries(
      parameters.filter((each) => each.in === where).map(({ name, argument }) => [name, String(args[argument])]),
    );
  const path = row.path.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(String(args[name])));
  const query = new URLSearchParams(valuesIn("query")).toString();
  const inBody = Object.entries(args).filter(([name]) => !parameters.some(({ argument }) => argument === name));
  return {
    method: row.method.toUpperCase(),
    path: `${API_BASE}${path}${query && `?${query}`}`,
    headers: valuesIn("header"),
    body: bodySchemaOf(row) && Object.fromEntries(inBody),
  };
}
