import { ConfigMistake } from "../config-setting.ts";

const STORAGE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "may not be written",
  EPERM: "may not be written",
  EROFS: "is read-only",
  ENOSPC: "is on a full disk",
  EDQUOT: "is on a full disk",
  ENOTDIR: "lies below a file",
  EEXIST: "is a file",
  // What Node 20 says of a folder that a read-only disk would not let it make.
  ENOENT: "cannot be made",
};

/** Does something in the data folder; what the file system refuses is a mistake of the setting, said in one line. */
export async function inDataFolder<R>(dataDir: string, action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    const fault = STORAGE_FAULTS[(error as NodeJS.ErrnoException).code ?? ""];
    if (fault === undefined) throw error;
    throw new ConfigMistake(
      `TRANSFER_DATA_DIR is ${dataDir}; it ${fault}; allowed: a folder that this user may write`,
    );
  }
}
