import { ConfigError } from "../config/setting.ts";

const STORAGE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "may not be written",
  EPERM: "may not be written",
  EROFS: "is read-only",
  ENOSPC: "is on a full disk",
  EDQUOT: "is on a full disk",
  ENOTDIR: "lies below a file",
  EEXIST: "is a file",
  ENOTSUP: "has a file system without sockets",
  EOPNOTSUPP: "has a file system without sockets",
  // What Node 20 reports for a folder that cannot be created on a read-only disk.
  ENOENT: "cannot be created",
};

/** Does something in the data folder; throws ConfigError for what the file system rejects. */
export async function inDataFolder<R>(dataDir: string, action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    const fault = STORAGE_FAULTS[(error as NodeJS.ErrnoException).code ?? ""];
    if (fault === undefined) throw error;
    throw new ConfigError(`TRANSFER_DATA_DIR is ${dataDir}; it ${fault}; allowed: a folder that this user may write`);
  }
}
