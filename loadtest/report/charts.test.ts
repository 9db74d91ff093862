import { expect, it } from "vitest";
import { chartsOf } from "./charts.ts";

const spread = (median: number) => ({ median, min: median - 1, max: median + 1 });
const SIDE = {
  perSecond: spread(1_000),
  p50: 1,
  p90: 2,
  p99: 3,
  p999: 4,
  residentBytes: 100e6,
  delayP50Ms: 0,
  delayP99Ms: 5,
  cpuMicrosPerRequest: spread(20),
  serverBusy: 1,
  clientBusy: 1,
};

it("shows throughput, latencies, CPU, memory and event loop delay of every side", () => {
  const charts = chartsOf([{ name: "8 ads: bare", side: SIDE }]);

  expect(charts.map(({ title }) => title)).toEqual([
    "Throughput",
    "Latency under full load",
    "CPU a request, server process",
    "Memory, server process",
    "Event loop delay, p99",
  ]);
  expect(charts[0]).toMatchObject({ bars: [{ label: "8 ads: bare", value: 1_000, range: [999, 1_001] }] });
  expect(charts[1]).toMatchObject({ bars: [{ value: 1 }, { value: 2 }, { value: 3 }, { value: 4 }] });
  expect(charts[3]).toMatchObject({ unit: "MB", bars: [{ value: 100 }] });
});
