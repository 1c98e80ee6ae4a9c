import type { QuoteEntry } from "../quote-store.ts";
import { sqlStateOf } from "./pool.ts";
import { MOST_ENTRIES, type SavedRow } from "./save-statement.ts";

/** While a statement is in flight, the next one is sent after this time or when its group is full. */
const SOON_MS = 5;
/** What a single entry can make the server reject: its data, and constraints such as an id that exists. */
const OF_ONE_ENTRY = /^2[23]/;

interface Waiting {
  readonly entry: QuoteEntry;
  resolve(row: SavedRow | undefined): void;
  reject(error: unknown): void;
}

type Send = (entries: readonly QuoteEntry[]) => Promise<ReadonlyMap<string, SavedRow>>;

/**
 * Saves entries in groups: what arrives while a statement is in flight goes into the next, so that under load one round
 * trip and one commit serve several calls. A call alone does not wait. If the server rejects the statement because of
 * what it contains, each entry is sent alone; any other failure is that of all, since its outcome is unknown.
 */
export function createSaveGroups(send: Send): (entry: QuoteEntry) => Promise<SavedRow | undefined> {
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let sentAt = 0;
  let timer: NodeJS.Timeout | undefined;

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      if (inFlight === 0 || waiting.length >= MOST_ENTRIES || performance.now() - sentAt > SOON_MS) sendNext();
      else timer ??= setTimeout(sendNext, SOON_MS);
    });

  function sendNext(): void {
    clearTimeout(timer);
    timer = undefined;
    const group = takeGroup();
    if (group.length === 0) return;
    if (waiting.length > 0) timer = setTimeout(sendNext, SOON_MS);
    inFlight += 1;
    sentAt = performance.now();
    sendGroup(group).finally(() => {
      inFlight -= 1;
      if (inFlight === 0) sendNext();
    });
  }

  /** The longest waiting; of entries that share a name one, because a statement saves each name once. */
  function takeGroup(): readonly Waiting[] {
    const names = new Set<string>();
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const each of waiting) {
      const own = namesOf(each.entry);
      const isFree = group.length < MOST_ENTRIES && !own.some((name) => names.has(name));
      for (const name of own) names.add(name);
      (isFree ? group : left).push(each);
    }
    waiting = left;
    return group;
  }

  async function sendGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const rows = await send(group.map(({ entry }) => entry));
      for (const { entry, resolve } of group) resolve(rows.get(entry.record?.scope ?? ""));
    } catch (error) {
      const isOfOne = group.length > 1 && OF_ONE_ENTRY.test(sqlStateOf(error) ?? "");
      if (isOfOne) await Promise.all(group.map((each) => sendGroup([each])));
      else for (const { reject } of group) reject(error);
    }
  }
}

function namesOf({ record, quote, sale }: QuoteEntry): readonly string[] {
  return [record?.scope, quote?.id, sale?.id].filter((name) => name !== undefined);
}
