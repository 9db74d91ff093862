import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, expect, it, vi } from "vitest";
import { createShutdown } from "#libs/async/index.ts";
import { createLogger } from "#libs/http/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { EXAMPLE } from "../countries/tests/mmdb.ts";
import { openCountries } from "./countries.ts";

const folder = await aFolder(afterAll);
const file = join(folder, "countries.mmdb");
const logger = createLogger({ level: "silent" });
const shutdown = createShutdown({ logger, handleSignals: false });
afterAll(() => shutdown.release());

const open = (geoipFile: string | undefined, registry = new Registry()) =>
  openCountries({ geoipFile }, registry, logger, shutdown);

it("knows no country, and has no metrics, without a file", async () => {
  const registry = new Registry();
  const countries = await open(undefined, registry);

  expect(countries.of("81.2.69.160")).toBe("");
  expect(registry.getMetricsAsArray()).toEqual([]);
});

it.each([
  ["a file that is missing", "away", /^GEOIP_FILE cannot be used: ENOENT: .*away'\.$/],
  ["one of another kind", "countries.csv", /^GEOIP_FILE cannot be used: it is no MaxMind DB file .*\.$/],
  ["a folder", "", /^GEOIP_FILE cannot be used: it is not a file\.$/],
])("stops the start by a sentence that names the setting for %s", async (_what, name, message) => {
  await writeFile(join(folder, "countries.csv"), "81.2.69.0,81.2.69.255,GB\n");

  await expect(open(join(folder, name))).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(message),
  });
});

it("tells how old the file is, and whether it is the one that is used", async () => {
  const registry = new Registry();
  await writeFile(file, EXAMPLE);
  await open(file, registry);
  const figure = async (name: string) => {
    const line = (await registry.metrics())
      .split("\n")
      .find((one) => one.startsWith(`placard_geoip${name} `));
    return Number(line?.split(" ")[1]);
  };

  expect([await figure("_stale"), await figure("_failures_total")]).toEqual([0, 0]);
  expect(Math.abs((await figure("_modified_timestamp_seconds")) * 1000 - Date.now())).toBeLessThan(3_600_000);

  await rename(file, `${file} away`);
  await vi.waitUntil(async () => (await figure("_stale")) === 1, { timeout: 60_000, interval: 100 });
  expect(await figure("_failures_total")).toBeGreaterThan(0);
});
