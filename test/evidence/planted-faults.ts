import type { QuoteStore } from "../../src/domain/sales/quote-store.ts";
import type { Clock } from "../../src/ops/clock.ts";
import type { Promised } from "./history.ts";

/** One in so many calls is hit. */
const ONE_IN = 5;

/** Faults around store and clock. */
export interface Plant {
  readonly quotes?: (store: QuoteStore) => QuoteStore;
  readonly clock?: Clock;
}

interface PlantedFault {
  readonly name: string;
  /** The promise that it breaks. */
  readonly breaks: Promised;
  /** Anew for each run. */
  plant(): Plant;
}

/** Faults that the judge must find: without them, its silence would prove nothing. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: "lost acknowledgement: an insert resolves without saving",
    breaks: "lost quote",
    plant: () => {
      const isHit = oneIn();
      return {
        quotes: (store) => ({ ...store, insert: async (entry) => (isHit() ? undefined : store.insert(entry)) }),
      };
    },
  },
  {
    name: "doubled key: a taken key is saved again as a new quote",
    breaks: "doubled key",
    plant: () => ({
      quotes: (store) => ({
        ...store,
        async insert(entry) {
          const taken = await store.insert(entry);
          return taken && entry.quote ? store.insert({ quote: entry.quote, record: undefined }) : taken;
        },
      }),
    }),
  },
  {
    name: "foreign read: quotes are found as those of another subject",
    breaks: "foreign read",
    plant: () => {
      const isHit = oneIn();
      return {
        quotes: (store) => ({
          ...store,
          async find(id) {
            const quote = await store.find(id);
            return quote && isHit() ? { ...quote, ownerSubject: "agent-1" } : quote;
          },
        }),
      };
    },
  },
  {
    name: "stale replay: the record of a key has older text",
    breaks: "changed replay",
    plant: () => ({
      quotes: (store) => ({
        ...store,
        async insert(entry) {
          const taken = await store.insert(entry);
          return taken && { ...taken, answer: taken.answer.replace('"currency":"CHF"', '"currency":"EUR"') };
        },
      }),
    }),
  },
  {
    name: "early expiry: the clock is an hour ahead now and then",
    breaks: "early expiry",
    plant: () => {
      const isHit = oneIn();
      return { clock: { now: () => new Date(Date.now() + (isHit() ? 3_600_000 : 0)) } };
    },
  },
];

function oneIn(): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % ONE_IN === 0;
  };
}
