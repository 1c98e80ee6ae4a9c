import type { Metric, Registry } from "prom-client";

/** A histogram of durations with one label. */
export interface Durations {
  /** Makes the series of a value of the label appear before its first duration. */
  zero(value: string): void;
  observe(value: string, seconds: number): void;
}

interface DurationsOptions {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
}

interface Series {
  /** By bucket, the last for what exceeds them all. */
  readonly counts: Float64Array;
  sum: number;
}

/**
 * What `Histogram` of prom-client exposes, made when it is asked for. That checks, sorts and hashes the labels of each
 * observation: the two of a GET took 2.5 µs of CPU time and take 0.2.
 */
export function createDurations(registry: Registry, { name, help, label, buckets }: DurationsOptions): Durations {
  const all = new Map<string, Series>();
  const type = "histogram";
  const get = async () => ({ name, help, type, aggregator: "sum", values: [...all].flatMap(valuesOf) });
  // The registry and its reader ask no more of a metric, though its type does.
  registry.registerMetric({ name, help, type, labelNames: [label], get } as unknown as Metric);

  return {
    zero: seriesOf,
    observe(value, seconds) {
      const series = seriesOf(value);
      let bucket = 0;
      while (seconds > (buckets[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += seconds;
    },
  };

  function seriesOf(value: string): Series {
    const known = all.get(value);
    if (known) return known;
    const series = { counts: new Float64Array(buckets.length + 1), sum: 0 };
    all.set(value, series);
    return series;
  }

  function valuesOf([value, { counts, sum }]: readonly [string, Series]) {
    const labels = { [label]: value };
    let count = 0;
    const upTo = [...counts].map((own, bucket) => {
      count += own;
      return { metricName: `${name}_bucket`, labels: { le: buckets[bucket] ?? "+Inf", ...labels }, value: count };
    });
    return [
      ...upTo,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
