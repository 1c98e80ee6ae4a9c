import Table from "cli-table3";
import { openPricing } from "../compose/compose-pricing.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { DateTime, instantOf } from "../contract/date-time.ts";
import { PublicError } from "../contract/errors.ts";
import { systemClock } from "../ops/clock.ts";
import { silentLog } from "../ops/log.ts";
import type { Journey } from "../quotes/journey.ts";
import { Stated } from "../quotes/quote.ts";
import { createQuoting } from "../quotes/quoting.ts";
import { type Arguments, defineCommand } from "./command.ts";

const options = {
  at: { type: "string", value: "TIME", meaning: "pickup, such as 2027-01-15T14:30:00+01:00; default: tomorrow" },
  via: { type: "string", multiple: true, value: "PLACE", meaning: "stop on the way" },
  passengers: { type: "string", value: "N", meaning: "1 to 50; default: 1" },
} as const;

/** The `quote` command: prices a journey at the terminal, by default for tomorrow, and stores nothing. */
async function run(config: Config, args: Arguments<typeof options>): Promise<number> {
  const journey = journeyOf(args);
  const pricing = await openPricing(config, silentLog);
  try {
    const quoting = createQuoting({ ...(await pricing.load()), clock: systemClock });
    const priced = await quoting.price(journey, AbortSignal.timeout(10_000));
    const { route } = priced;
    const table = new Table({
      head: ["Vehicle", "Seats", "Luggage", priced.currency],
      style: { head: [], border: [] },
      colAligns: ["left", "right", "right", "right"],
    });
    for (const option of priced.options) {
      const { vehicleType, passengerCapacity, luggageCapacity, totalRappen } = option;
      const name = `${vehicleType}${option.onRequest ? " *" : ""}`;
      table.push([name, passengerCapacity, luggageCapacity, (totalRappen / 100).toFixed(2)]);
    }
    const notes = priced.limitations.map((note) => `- ${note}\n`).join("");
    const onRequest = priced.options.some((option) => option.onRequest)
      ? "* on request, needs manual confirmation\n"
      : "";
    process.stdout.write(
      `${[priced.origin, ...priced.stops.map(({ name }) => name), priced.destination].join(" – ")}, ${priced.pickupAt}\n` +
        `${route.distanceKm} km, ${route.durationMinutes} min (${route.basis}, ${route.contractVersion})\n${table}\n${onRequest}${notes}`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n`);
    return 1;
  } finally {
    await pricing.close();
  }
}

export const quote = defineCommand({ operands: ["ORIGIN", "DESTINATION"], options, run });

/** Throws ConfigError where an argument is not valid. */
function journeyOf({ values, operands }: Arguments<typeof options>): Journey {
  const [origin = "", destination = ""] = operands;
  const { at = tomorrow(), via = [], passengers = "1" } = values;
  if (!DateTime.safeParse(at).success) {
    throw new ConfigError(
      `--at is ${JSON.stringify(at)}; allowed: an RFC 3339 date-time such as 2027-01-15T14:30:00+01:00`,
    );
  }
  if (!/^([1-9]|[1-4]\d|50)$/.test(passengers)) {
    throw new ConfigError(`--passengers is ${JSON.stringify(passengers)}; allowed: 1 to 50`);
  }
  const fields = ["origin", ...via.map((_, index) => `--via ${index + 1}`), "destination"];
  return {
    points: [origin, ...via, destination].map((text, index) => ({
      field: fields[index] ?? "",
      text,
      position: null,
      dwellMinutes: null,
    })),
    pickupAt: instantOf(at),
    returnAt: null,
    hireHours: null,
    ...Stated.parse({ passengers: Number(passengers) }),
    adults: null,
    waitingMinutes: 0,
    callerMetrics: null,
  };
}

function tomorrow(): string {
  return new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
}
