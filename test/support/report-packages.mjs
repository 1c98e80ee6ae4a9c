// Preloaded with NODE_OPTIONS=--import: writes a line to stderr for each package that the process loads.
import { register } from "node:module";

const hooks = `
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
    if (name) writeSync(2, "loaded " + name + "\\n");
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
