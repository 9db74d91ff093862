import type { Comparison, SideSummary } from "../baselines/rounds.ts";

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Lowest and highest of the rounds. */
  readonly range?: readonly [number, number];
}

/** Bars to compare, or points over a growing quantity. */
export type Chart =
  | { readonly kind: "bars"; readonly title: string; readonly unit: string; readonly bars: readonly Bar[] }
  | {
      readonly kind: "lines";
      readonly title: string;
      readonly unit: string;
      readonly along: string;
      readonly logarithmic: boolean;
      readonly lines: readonly {
        readonly label: string;
        readonly points: readonly (readonly [number, number])[];
      }[];
    };

/** A side of a comparison with its name in the charts. */
export interface NamedSide {
  readonly name: string;
  readonly side: SideSummary;
}

/** The sides of comparisons, baseline and subject in turn. */
export function sidesOf(
  name: string,
  { baseline, subject }: Comparison,
  baselineName = "Fastify",
): NamedSide[] {
  return [
    { name: `${name}: ${baselineName}`, side: baseline },
    { name: `${name}: Placard`, side: subject },
  ];
}

/** Charts for every server under load: throughput, latencies, CPU, memory, and how late its event loop is. */
export function chartsOf(sides: readonly NamedSide[]): Chart[] {
  const bars = (title: string, unit: string, of: (side: SideSummary) => number): Chart => ({
    kind: "bars",
    title,
    unit,
    bars: sides.map(({ name, side }) => ({ label: name, value: of(side) })),
  });
  return [
    {
      kind: "bars",
      title: "Throughput",
      unit: "requests/s",
      bars: sides.map(({ name, side: { perSecond } }) => ({
        label: name,
        value: perSecond.median,
        range: [perSecond.min, perSecond.max],
      })),
    },
    {
      kind: "bars",
      title: "Latency under full load",
      unit: "ms",
      bars: sides.flatMap(({ name, side }) => [
        { label: `${name}, p50`, value: side.p50 },
        { label: `${name}, p90`, value: side.p90 },
        { label: `${name}, p99`, value: side.p99 },
        { label: `${name}, p99.9`, value: side.p999 },
      ]),
    },
    bars("CPU a request, server process", "µs", ({ cpuMicrosPerRequest }) => cpuMicrosPerRequest.median),
    bars("Memory, server process", "MB", ({ residentBytes }) => residentBytes / 1e6),
    bars("Event loop delay, p99", "ms", ({ delayP99Ms }) => delayP99Ms),
  ];
}
