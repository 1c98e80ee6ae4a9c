export interface Closable {
  close(): Promise<void>;
}

/** Notes what has been opened, so that it is closed. */
export type Opened = <Part extends Closable>(part: Part) => Part;

/** `close` closes what `opened` has noted, the last first. */
export function createOpened() {
  const all: Closable[] = [];
  const opened: Opened = (part) => {
    all.push(part);
    return part;
  };
  const close = async () => {
    for (const each of all.splice(0).reverse()) await each.close();
  };
  return { opened, close };
}
