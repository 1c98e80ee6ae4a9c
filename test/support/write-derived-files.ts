import { writeFileSync } from "node:fs";
import { derivedFiles } from "./derived-files.ts";

for (const { url, derived } of derivedFiles) writeFileSync(url, await derived());
