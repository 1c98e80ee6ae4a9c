import Table from "cli-table3";
import { composeQuoting } from "../compose.ts";
import { composeCatalogue } from "../compose-catalogue.ts";
import type { Config } from "../config.ts";
import { DateTime, instantOf } from "../contract/date-time.ts";
import { PublicError } from "../contract/errors.ts";
import { silentLog } from "../ops/log.ts";
import type { Journey } from "../quotes/journey.ts";

export interface QuoteOptions {
  readonly origin: string;
  readonly destination: string;
  /** RFC 3339; tomorrow noon where absent. */
  readonly at: string | undefined;
  readonly via: readonly string[];
  readonly passengers: number;
}

/** The `quote` command: prices a journey at the terminal; nothing is stored. Gives the exit code. */
export async function quote(config: Config, options: QuoteOptions): Promise<number> {
  const { at = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString() } = options;
  if (!DateTime.safeParse(at).success) {
    process.stderr.write(
      `--at is ${JSON.stringify(at)}; allowed: an RFC 3339 date-time such as 2027-01-15T14:30:00+01:00\n`,
    );
    return 2;
  }
  const pickupAt = instantOf(at);
  const catalogue = await composeCatalogue(config, silentLog);
  try {
    const quoting = composeQuoting(catalogue);
    const priced = await quoting.price(journeyOf(options, pickupAt), AbortSignal.timeout(10_000));
    const { route } = priced;
    const table = new Table({
      head: ["Vehicle", "Seats", "Luggage", priced.currency],
      style: { head: [], border: [] },
      colAligns: ["left", "right", "right", "right"],
    });
    for (const {
      vehicleType,
      passengerCapacity,
      luggageCapacity,
      totalRappen,
      onRequest,
    } of priced.options) {
      table.push([
        `${vehicleType}${onRequest ? " *" : ""}`,
        passengerCapacity,
        luggageCapacity,
        (totalRappen / 100).toFixed(2),
      ]);
    }
    const notes = priced.limitations.map((note) => `- ${note}\n`).join("");
    const onRequest = priced.options.some((option) => option.onRequest)
      ? "* on request, confirmed by hand\n"
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
    await catalogue.close();
  }
}

function journeyOf({ origin, destination, via, passengers }: QuoteOptions, pickupAt: Date): Journey {
  const fields = ["origin", ...via.map((_, index) => `--via ${index + 1}`), "destination"];
  return {
    points: [origin, ...via, destination].map((text, index) => ({
      field: fields[index] ?? "",
      text,
      position: null,
      dwellMinutes: null,
    })),
    pickupAt,
    returnAt: null,
    hireHours: null,
    passengers,
    adults: null,
    children: 0,
    infants: 0,
    luggage: 0,
    waitingMinutes: 0,
    callerMetrics: null,
  };
}
