import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A `.cpuprofile` of V8, as far as it is read here. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
}

interface HeavyFunction {
  readonly name: string;
  /** File and line of the source; empty for native functions. */
  readonly where: string;
  /** Of the time in which the process was not idle. */
  readonly percent: number;
}

/** The functions that a profile was in most of the time, the time of what they call not included. */
export function heaviest(file: string, count: number): readonly HeavyFunction[] {
  const { nodes, samples }: CpuProfile = JSON.parse(readFileSync(file, "utf8"));
  const sourceOf = createSourceLookUp();
  const names = new Map(nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName}\n${sourceOf(callFrame)}`]));
  const counts = new Map<string, number>();
  const busy = samples.map((id) => names.get(id) ?? "").filter((name) => !name.startsWith("(idle)"));
  for (const name of busy) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([key, times]) => {
      const [name, where = ""] = key.split("\n");
      return { name: name || "(anonymous)", where, percent: (100 * times) / busy.length };
    });
}

/** The bundle has its sources in a map beside it. */
function createSourceLookUp(): (frame: CallFrame) => string {
  const maps = new Map<string, SourceMap | undefined>();
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith("file:")) return url;
    const file = fileURLToPath(url);
    if (!maps.has(file)) maps.set(file, mapOf(file));
    const entry = maps.get(file)?.findEntry(lineNumber, columnNumber) ?? {};
    const { originalSource, originalLine } = entry as { originalSource?: string; originalLine?: number };
    const [source, line] = originalSource ? [originalSource, originalLine ?? 0] : [file, lineNumber];
    return `${source.replace(/^(\.\.\/)+|^.*node_modules\//, "")}:${line + 1}`;
  };
}

function mapOf(file: string): SourceMap | undefined {
  const map = `${file}.map`;
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : undefined;
}
