import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, expect, it, vi } from "vitest";
import { createShutdown } from "#libs/async/index.ts";
import { createLogger } from "#libs/http/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openBlockedNetworks } from "./blocked-networks.ts";

const folder = await aFolder(afterAll);
const logger = createLogger({ level: "silent" });
const shutdown = createShutdown({ logger, handleSignals: false });
afterAll(() => shutdown.release());

async function fileOf(text: string): Promise<string> {
  const file = join(folder, crypto.randomUUID());
  await writeFile(file, text);
  return file;
}

const open = (blockedNetworksFile: string | undefined, registry = new Registry()) =>
  openBlockedNetworks({ blockedNetworksFile }, registry, logger, shutdown);

it("stops the start by a sentence that names the setting and the line", async () => {
  await expect(open(await fileOf("192.0.2.0/24\nexample.com\n"))).rejects.toMatchObject({
    name: "StartError",
    message: 'BLOCKED_NETWORKS_FILE cannot be used: line 2 is no network: "example.com".',
  });
});

it("blocks nobody, and has no metrics, without a file", async () => {
  const registry = new Registry();
  const blocked = await open(undefined, registry);

  expect(blocked.has("192.0.2.7")).toBe(false);
  expect(registry.getMetricsAsArray()).toEqual([]);
});

it("tells how many networks are blocked, by a list of what age, and whether it is the file's", async () => {
  const registry = new Registry();
  const file = await fileOf("192.0.2.0/24\n2001:db8::/32\n");
  await open(file, registry);
  const figure = async (name: string) => {
    const line = (await registry.metrics())
      .split("\n")
      .find((one) => one.startsWith(`placard_blocked_networks${name} `));
    return Number(line?.split(" ")[1]);
  };

  expect([await figure(""), await figure("_stale"), await figure("_failures_total")]).toEqual([2, 0, 0]);
  expect(Math.abs((await figure("_modified_timestamp_seconds")) * 1000 - Date.now())).toBeLessThan(3_600_000);

  await rename(file, `${file} away`);
  await vi.waitUntil(async () => (await figure("_stale")) === 1, { timeout: 60_000, interval: 100 });
  expect(await figure("")).toBe(2);
  expect(await figure("_failures_total")).toBeGreaterThan(0);
});
