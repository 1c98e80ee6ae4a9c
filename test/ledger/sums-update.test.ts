import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerHour, SummableHours } from "../../src/ledger/ledger-hours.ts";
import { createSumsUpdate } from "../../src/ledger/sums-update.ts";
import { aClock } from "../support/fake-clock.ts";

const HOUR = 3_600_000;
const FIRST = Date.parse("2026-10-20T00:00:00Z");
/** All hours are over for good. */
const NOW = new Date(FIRST + 10 * 24 * HOUR);
const SMALL = 1_000;

test("an hour that cannot be summed holds up no other and is tried once more, alone", async () => {
  const { rows, reads, written } = someHours(60, { isReadable: (hour) => hour !== 30 });
  const clock = aClock(NOW);
  const update = createSumsUpdate(rows, clock);
  await assert.rejects(
    update(() => true),
    /hour 30/,
  );
  assert.equal(written.size, 59);
  assert.equal(reads.filter((read) => read.includes(30)).length, 2);
  for (const later of [HOUR, 2 * HOUR]) {
    clock.set(new Date(NOW.getTime() + later));
    await update(() => true);
  }
  assert.equal(reads.filter((read) => read.includes(30)).length, 2);
});

test("an hour that failed in an outage is summed a day later", async () => {
  let isAvailable = false;
  const { rows, written } = someHours(60, { isReadable: (hour) => isAvailable || hour !== 30 });
  const clock = aClock(NOW);
  const update = createSumsUpdate(rows, clock);
  await assert.rejects(
    update(() => true),
    /hour 30/,
  );
  isAvailable = true;
  clock.set(new Date(NOW.getTime() + 24 * HOUR - 1));
  await update(() => true);
  assert.equal(written.size, 59);
  clock.set(new Date(NOW.getTime() + 24 * HOUR));
  await update(() => true);
  assert.equal(written.size, 60);
});

test("a storage that fails is left alone for an hour", async () => {
  let isAvailable = false;
  const { rows, reads, written } = someHours(60, { isReadable: () => isAvailable });
  const clock = aClock(NOW);
  const update = createSumsUpdate(rows, clock);
  await assert.rejects(update(() => true));
  assert.ok(reads.length < 6, `${reads.length} reads`);
  const before = reads.length;
  isAvailable = true;
  clock.set(new Date(NOW.getTime() + HOUR - 1));
  await update(() => true);
  assert.equal(reads.length, before);
  clock.set(new Date(NOW.getTime() + HOUR));
  await update(() => true);
  assert.ok(written.size >= 57, `${written.size} hours are summed`);
});

test("small hours are read together and large ones alone", async () => {
  const { rows, reads } = someHours(30, { sizeOf: (hour) => (hour < 24 ? SMALL : 5_000_000) });
  await createSumsUpdate(rows, aClock(NOW))(() => true);
  assert.deepEqual(
    reads.map((read) => read.length),
    [24, 1, 1, 1, 1, 1, 1],
  );
});

interface Hours {
  isReadable?(hour: number): boolean;
  sizeOf?(hour: number): number;
}

/** So many hours without quotes, the first of them number 0. */
function someHours(count: number, { isReadable = () => true, sizeOf = () => SMALL }: Hours) {
  const reads: number[][] = [];
  const written = new Set<number>();
  const all = Array.from({ length: count }, (_, n) => FIRST + n * HOUR);
  const numberOf = (hour: number) => (hour - FIRST) / HOUR;
  const rows: SummableHours = {
    earliest: async () => FIRST,
    hours: async (from, until) =>
      new Map(
        all
          .filter((hour) => hour >= from && hour < until && !written.has(hour))
          .map((hour): [number, LedgerHour] => [hour, { version: "1", sums: undefined, size: sizeOf(numberOf(hour)) }]),
      ),
    async read(hours) {
      const numbers = hours.map(numberOf);
      reads.push(numbers);
      const broken = numbers.find((hour) => !isReadable(hour));
      if (broken !== undefined) throw new Error(`hour ${broken} takes too long`);
      return new Map();
    },
    async write(hour) {
      written.add(hour);
    },
  };
  return { rows, reads, written };
}
