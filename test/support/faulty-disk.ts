import { EventEmitter, once } from "node:events";
import type { FileHandle } from "node:fs/promises";
import { type Disk, localDisk } from "../../src/adapters/stores/lowdb/hour-files.ts";

/** Steps that can fail. `create` is an `open` for writing; a failing `write` leaves half of its bytes in the file. */
export type DiskStep = "create" | "write" | "datasync" | "flush" | "sync" | "truncate" | "rename" | "unlink";

/** The steps of a file handle's calls, besides writes. */
const STEPS: Readonly<Record<string, DiskStep>> = { datasync: "datasync", sync: "sync", truncate: "truncate" };

/** The local disk with faults that a test requests. */
export function createFaultyDisk() {
  const codes = new Map<DiskStep, string>();
  const held = new Set<DiskStep>();
  const events = new EventEmitter().setMaxListeners(0);

  const disk: Disk = {
    ...localDisk,
    open: (async (path, flags, mode) => {
      if (flags !== "r") await reach("create");
      return faulty(await localDisk.open(path, flags, mode));
    }) satisfies Disk["open"],
    writeFile: (async (path, content, options) => {
      const { flush = false, mode } = typeof options === "object" && options !== null ? options : {};
      const handle = await disk.open(String(path), "w", mode);
      try {
        await handle.writeFile(content as Buffer);
        if (flush) await reach("flush");
        if (flush) await handle.datasync();
      } finally {
        await handle.close();
      }
    }) satisfies Disk["writeFile"],
    async rename(from, to) {
      await reach("rename");
      await localDisk.rename(from, to);
    },
    async rm(path, options) {
      await reach("unlink");
      await localDisk.rm(path, options);
    },
  };
  return {
    disk,
    /** Makes the step reject with a system error of this code from now on. */
    fail: (step: DiskStep, code: string) => void codes.set(step, code),
    /** Makes the step wait for `release` from now on. */
    hold: (step: DiskStep) => void held.add(step),
    release() {
      held.clear();
      events.emit("release");
    },
    /** Resolves when the step is reached for the next time. */
    reached: (step: DiskStep) => once(events, step),
    /** Ends every failure. */
    mend: () => codes.clear(),
  };

  async function reach(step: DiskStep): Promise<void> {
    events.emit(step);
    if (held.has(step)) await once(events, "release");
    const code = codes.get(step);
    if (code) throw Object.assign(new Error(`${code}: planted, ${step}`), { code });
  }

  function faulty(handle: FileHandle): FileHandle {
    return new Proxy(handle, {
      get(target, name) {
        if (name === "appendFile" || name === "writeFile") return (bytes: Buffer) => write(bytes);
        const value = Reflect.get(target, name, target);
        const step = STEPS[String(name)];
        if (!step) return typeof value === "function" ? value.bind(target) : value;
        return async (...args: readonly unknown[]) => {
          await reach(step);
          return value.apply(target, args);
        };
      },
    });

    async function write(bytes: Buffer): Promise<void> {
      try {
        await reach("write");
      } catch (error) {
        await handle.write(bytes, 0, Math.ceil(bytes.length / 2));
        throw error;
      }
      await handle.appendFile(bytes);
    }
  }
}
