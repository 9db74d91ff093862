import { expect, it } from "vitest";
import { readMigrations } from "./migrate.ts";

const PLAIN = {
  eventRetentionDays: 400,
  splitRetentionDays: 760,
  deduplicationWindow: 10_000,
  replicated: false,
  cluster: null,
};

const statements = async (options: Parameters<typeof readMigrations>[0]) =>
  (await readMigrations(options)).map(({ statement }) => statement);

it("makes plain tables on the connected server where nothing else is asked for", async () => {
  const [events, daily, view] = await statements(PLAIN);

  expect(events).toMatch(/^CREATE TABLE IF NOT EXISTS events\n/);
  expect(events).toMatch(/^ENGINE = MergeTree$/m);
  expect(daily).toMatch(/^ENGINE = AggregatingMergeTree$/m);
  expect(view).toMatch(/^CREATE MATERIALIZED VIEW IF NOT EXISTS daily_from_events TO daily AS\n/);
});

it("makes replicated tables on every server of a cluster", async () => {
  const [events, daily, view] = await statements({ ...PLAIN, replicated: true, cluster: "all-of-it" });

  expect(events).toMatch(/^CREATE TABLE IF NOT EXISTS events ON CLUSTER `all-of-it`\n/);
  expect(events).toContain(
    "ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')\n",
  );
  expect(daily).toMatch(/^CREATE TABLE IF NOT EXISTS daily ON CLUSTER `all-of-it`\n/);
  expect(daily).toContain(
    "ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')\n",
  );
  expect(view).toContain("daily_from_events ON CLUSTER `all-of-it` TO daily AS\n");
});

it("makes replicated tables on one server, which shares a Keeper of its own with others", async () => {
  const all = await statements({ ...PLAIN, replicated: true });

  expect(all[0]).toContain("ENGINE = ReplicatedMergeTree(");
  expect(all.join()).not.toContain("ON CLUSTER");
});

it.each([
  ["plain", PLAIN],
  ["replicated", { ...PLAIN, replicated: true, cluster: "c" }],
])("leaves nothing open, and makes %s tables remember tokens", async (_, options) => {
  const all = await statements({ ...options, deduplicationWindow: 777 });

  for (const statement of all) expect(statement).not.toContain("{{");
  for (const table of all.slice(0, 2)) {
    expect(table).toMatch(/\bnon_replicated_deduplication_window = 777,/);
    expect(table).toMatch(/ replicated_deduplication_window = 777,/);
    expect(table).toMatch(/ replicated_deduplication_window_seconds = 604800,/);
    expect(table).toMatch(/ remove_empty_parts = 0,/);
  }
});
