import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "./connection.ts";
import { measurePool } from "./pool-metrics.ts";
import { createTestDatabase } from "./testing.ts";

const database = await createTestDatabase();

it("tells which connections are in use, and how many queries wait for one", async () => {
  const registry = new Registry();
  const { pool, close } = openDatabase({ url: database.url, maxConnections: 2 });
  onTestFinished(close);
  measurePool(pool, registry);
  const both = [await pool.connect(), await pool.connect()];
  const third = pool.query("select 1");

  const whileBusy = await samples(registry);
  for (const client of both) client.release();
  await third;
  const afterwards = await samples(registry);

  expect(whileBusy).toEqual({ in_use: 2, idle: 0, most: 2, waiting: 1 });
  expect(afterwards).toEqual({ in_use: 0, idle: 2, most: 2, waiting: 0 });
});

async function samples(registry: Registry) {
  const text = await registry.metrics();
  const read = (name: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  return {
    in_use: read('placard_postgres_pool_connections{state="in_use"}'),
    idle: read('placard_postgres_pool_connections{state="idle"}'),
    most: read("placard_postgres_pool_max_connections"),
    waiting: read("placard_postgres_pool_waiting"),
  };
}
