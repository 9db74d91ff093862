import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, expect, it, vi } from "vitest";
import { createShutdown } from "#libs/async/index.ts";
import { createLogger } from "#libs/http/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { EXAMPLE } from "../countries/tests/mmdb.ts";
import { type OperatorFileSettings, openOperatorFiles } from "./operator-files.ts";

const folder = await aFolder(afterAll);
const logger = createLogger({ level: "silent" });
const shutdown = createShutdown({ logger, handleSignals: false });
afterAll(() => shutdown.release());

/** Neither a robot nor a browser that anybody knows. */
const NAVI = "Navi (Tin; Linux) Web/3";
const NONE: OperatorFileSettings = {
  blockedNetworksFile: undefined,
  geoipFile: undefined,
  browsersFile: undefined,
  robotsFile: undefined,
};

async function fileOf(content: string | Buffer): Promise<string> {
  const file = join(folder, crypto.randomUUID());
  await writeFile(file, content);
  return file;
}

const open = (settings: Partial<OperatorFileSettings>, registry = new Registry()) =>
  openOperatorFiles({ ...NONE, ...settings }, registry, logger, shutdown);

it.each<[string, keyof OperatorFileSettings, () => Promise<string>, RegExp]>([
  [
    "a list of networks with a mistake, and its line",
    "blockedNetworksFile",
    () => fileOf("192.0.2.0/24\nexample.com\n"),
    /^BLOCKED_NETWORKS_FILE cannot be used: line 2 is no network: "example\.com"\.$/,
  ],
  [
    "a list of browsers that is one of robots",
    "browsersFile",
    () => fileOf("# Robots\nprobe|1||0|2|0\n"),
    /^BROWSERS_FILE cannot be used: line 2 has 6 fields instead of 3 or 4: "probe\|1\|\|0\|2\|0"\.$/,
  ],
  [
    "an empty list of robots",
    "robotsFile",
    () => fileOf(""),
    /^ROBOTS_FILE cannot be used: it has no active entry\.$/,
  ],
  [
    "a huge list of robots",
    "robotsFile",
    () => fileOf("#".repeat(1024 * 1024 + 1)),
    /^ROBOTS_FILE cannot be used: it is larger than 1 MiB\.$/,
  ],
  [
    "a missing file",
    "geoipFile",
    async () => join(folder, "away"),
    /^GEOIP_FILE cannot be used: ENOENT: .*away'\.$/,
  ],
  [
    "a file of another kind",
    "geoipFile",
    () => fileOf("81.2.69.0,81.2.69.255,GB\n"),
    /^GEOIP_FILE cannot be used: it is no MaxMind DB file .*\.$/,
  ],
  ["a folder", "geoipFile", async () => folder, /^GEOIP_FILE cannot be used: it is not a file\.$/],
])("stops the start by a sentence that names the setting of %s", async (_what, setting, make, message) => {
  await expect(open({ [setting]: await make() })).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(message),
  });
});

it("blocks nobody, knows no country and no lists, and shows no file without files", async () => {
  const registry = new Registry();
  const { blocked, countries, userAgents } = await open({}, registry);

  expect([blocked.has("192.0.2.7"), countries.of("81.2.69.160")]).toEqual([false, ""]);
  expect([NAVI, `${NAVI} probe`].map((one) => userAgents.judge(one))).toEqual([null, null]);
  expect(await registry.metrics()).not.toMatch(/^placard_operator_file/m);
});

it("judges user agents by both lists", async () => {
  const { userAgents } = await open({
    browsersFile: await fileOf("Navi|1|1\n"),
    robotsFile: await fileOf("probe|1||0|2|0\n"),
  });

  expect([NAVI, `My ${NAVI}`, `${NAVI} probe`].map((one) => userAgents.judge(one))).toEqual([
    null,
    "bot",
    "bot",
  ]);
});

it("tells of each file how old it is, whether it is the one that is used, and the entries of a list", async () => {
  const registry = new Registry();
  const geoipFile = await fileOf(EXAMPLE);
  const blockedNetworksFile = await fileOf("192.0.2.0/24\n2001:db8::/32\n");
  const browsersFile = await fileOf("Navi/|1|1\nWanderer/|1|1\nOldie/|0|1\nSnail/|1|1\n");
  await open({ blockedNetworksFile, geoipFile, browsersFile }, registry);
  const figures = async (name: string) => {
    const lines = (await registry.metrics()).matchAll(
      /^placard_operator_file_(\w+){setting="(\w+)"} (.+)$/gm,
    );
    return Object.fromEntries(
      [...lines].flatMap(([, one, setting = "", value]) => (one === name ? [[setting, Number(value)]] : [])),
    );
  };

  expect(await figures("entries")).toEqual({ BLOCKED_NETWORKS_FILE: 2, BROWSERS_FILE: 3 });
  expect(await figures("stale")).toEqual({ BLOCKED_NETWORKS_FILE: 0, BROWSERS_FILE: 0, GEOIP_FILE: 0 });
  expect(await figures("failures_total")).toEqual({
    BLOCKED_NETWORKS_FILE: 0,
    BROWSERS_FILE: 0,
    GEOIP_FILE: 0,
  });
  const written = (await figures("modified_timestamp_seconds")).GEOIP_FILE ?? 0;
  expect(Math.abs(written * 1000 - Date.now())).toBeLessThan(3_600_000);

  await rename(geoipFile, `${geoipFile} away`);
  await vi.waitUntil(async () => (await figures("stale")).GEOIP_FILE === 1, {
    timeout: 60_000,
    interval: 100,
  });
  expect((await figures("stale")).BLOCKED_NETWORKS_FILE).toBe(0);
  expect((await figures("failures_total")).GEOIP_FILE).toBeGreaterThan(0);
});
