import { writeFileSync } from "node:fs";
import { derivedFiles } from "./derived-files.ts";

for (const { file, derived } of derivedFiles) writeFileSync(file, await derived());
