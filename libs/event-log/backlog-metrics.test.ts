import { AggregatorRegistry, Registry } from "prom-client";
import { expect, it } from "vitest";
import { measureBacklog } from "./backlog-metrics.ts";
import type { Backlog } from "./port.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 25, 12);

async function scrape(backlog: () => Promise<Backlog>): Promise<string[]> {
  const registry = new Registry();
  measureBacklog({ backlog }, registry, () => NOW);
  const text = await registry.metrics();
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

it("tells by partition what waits and since when, and when the log deletes it", async () => {
  const samples = await scrape(async () => ({
    partitions: [
      { partition: 0, events: 0, oldestAt: null },
      { partition: 1, events: 900_000, oldestAt: NOW - 30 * HOUR_MS },
    ],
    retentionMs: 168 * HOUR_MS,
  }));

  expect(samples).toEqual([
    'placard_event_log_waiting_events{partition="0"} 0',
    'placard_event_log_waiting_events{partition="1"} 900000',
    'placard_event_log_oldest_age_seconds{partition="0"} 0',
    'placard_event_log_oldest_age_seconds{partition="1"} 108000',
    "placard_event_log_retention_seconds 604800",
  ]);
});

it("gives no age that nobody knows, and no retention of a log that deletes nothing", async () => {
  const samples = await scrape(async () => ({
    partitions: [{ partition: 0, events: 3, oldestAt: null }],
    retentionMs: null,
  }));

  expect(samples).toEqual(['placard_event_log_waiting_events{partition="0"} 3']);
});

it("gives no samples while the log does not answer", async () => {
  expect(await scrape(() => Promise.reject(new Error("nobody listens")))).toEqual([]);
  expect(await scrape(() => new Promise(() => undefined))).toEqual([]);
});

it("says once what several processes of one service say", async () => {
  const answers = [false, true].map(async (isAway) => {
    const registry = new Registry();
    const backlog = {
      partitions: [{ partition: 0, events: 5, oldestAt: NOW - 9_000 }],
      retentionMs: HOUR_MS,
    };
    const read = isAway ? Promise.reject(new Error("nobody listens")) : Promise.resolve(backlog);
    measureBacklog({ backlog: () => read }, registry, () => NOW);
    return await registry.getMetricsAsJSON();
  });

  const text = await AggregatorRegistry.aggregate(await Promise.all(answers)).metrics();

  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    'placard_event_log_waiting_events{partition="0"} 5',
    'placard_event_log_oldest_age_seconds{partition="0"} 9',
    "placard_event_log_retention_seconds 3600",
  ]);
});

it("reads the log once for a scrape", async () => {
  let readings = 0;

  await scrape(async () => {
    readings += 1;
    return { partitions: [], retentionMs: null };
  });

  expect(readings).toBe(1);
});
