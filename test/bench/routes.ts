import Table from "cli-table3";
import { errorsOf, MEASURED_FROM, measuredPairs, pathOf } from "../../scripts/docs/road-distances.ts";

/**
 * The embedded road network against known distances: `npm run bench:routes`, or with a file of
 * `origin,destination,km,basis` lines of one's own as the argument. With `positions` as the second argument, the
 * operator's pairs are measured between the positions that he published.
 */
const [file = pathOf("road-distances.csv"), kind] = process.argv.slice(2);
const { pairs, notFound, leftOut } = await measuredPairs(
  file,
  MEASURED_FROM.find((from) => from === kind),
);
for (const row of notFound) say(`not found: ${row}`);
for (const row of leftOut) say(`left out, too far from a road: ${row}`);

const table = new Table({
  head: ["origin", "destination", "known km", "measured km", "error %"],
  colAligns: ["left", "left", "right", "right", "right"],
  style: { compact: true, head: [], border: [] },
});
for (const { ends, knownKm, measuredKm, percent } of [...pairs].sort(
  (a, b) => Math.abs(a.percent) - Math.abs(b.percent),
))
  table.push([...ends, knownKm, measuredKm.toFixed(1), percent.toFixed(1)]);
const { judged, median, ninthDecile, worst, within } = errorsOf(pairs);
say(`${table}`);
say(`error of the ${judged} pairs without car trains, in % of the known km:`);
say(`median ${median.toFixed(2)}, ninth decile ${ninthDecile.toFixed(2)}, worst ${worst.toFixed(2)}`);
say(`${[5, 8, 25].map((limit) => `${within(limit)} within ${limit} %`).join(", ")} of ${judged}\n`);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
