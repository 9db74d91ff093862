import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openNetworksFile } from "../networks/networks-file.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const ad = anAd();
const ended = anAd({ servingUntil: NOON - 3_600_000 });
const snapshot = aSnapshot({ ads: [ad, ended] });

let rig: ServingRig;
afterEach(() => rig.close());

async function open(options: RigOptions = {}): Promise<void> {
  rig = await openRig({ snapshots: [snapshot], now: () => NOON, ...options });
}

/** Opens the service with a list of blocked networks, and returns the function that replaces it. */
async function openBlocking(list: string): Promise<(list: string) => Promise<void>> {
  const folder = await aFolder();
  const file = join(folder, "blocked.txt");
  const write = async (text: string) => {
    await writeFile(join(folder, "new"), text);
    await rename(join(folder, "new"), file);
  };
  await write(list);
  const blocked = await openNetworksFile({
    file,
    setting: "BLOCKED_NETWORKS_FILE",
    onWarning: () => undefined,
    checkEveryMs: 5,
  });
  onTestFinished(() => blocked.close());
  await open({ blocked });
  return write;
}

interface Visit {
  readonly from?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

async function visit({
  from = "203.0.113.9",
  path = `${ad.id}/impressions`,
  method = "POST",
  headers,
}: Visit) {
  const response = await fetch(`${rig.url}/ads/${path}`, {
    method,
    redirect: "manual",
    headers: { "user-agent": FIREFOX, "x-forwarded-for": from, ...headers },
  });
  return { status: response.status, body: await response.text() };
}

const stored = async () => (await rig.storedEvents()).map(({ verdict }) => verdict);

describe("blocked networks", () => {
  it("stores events from them as such, by the address that the proxy names, and tells the caller nothing", async () => {
    await openBlocking("192.0.2.0/24\n2001:db8::1:0/112\n");

    const answers = [
      await visit({ from: "192.0.2.7" }),
      await visit({ from: "::ffff:192.0.2.8" }),
      await visit({ from: "2001:db8::1:7" }),
      // In the same /64, which limits count as one caller.
      await visit({ from: "2001:db8::2:7" }),
      await visit({ from: "192.0.3.7" }),
      // What the visitor says of itself does not count, only what the proxy adds.
      await visit({ from: "192.0.2.7, 198.51.100.1" }),
    ];

    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['{"success":true}']));
    expect(await stored()).toEqual(["network", "network", "network", "valid", "valid", "valid"]);
  });

  it("holds for links and images without script, whose answers are as ever", async () => {
    await openBlocking("192.0.2.7");

    const click = await visit({ from: "192.0.2.7", path: `${ad.id}/click`, method: "GET" });
    const image = await visit({ from: "192.0.2.7", path: `${ad.id}/impression.gif`, method: "GET" });

    expect([click.status, image.status]).toEqual([302, 200]);
    expect(await stored()).toEqual(["network", "network"]);
  });

  it("names what a client says of itself first, and the end of the ad last", async () => {
    await openBlocking("192.0.2.0/24");
    const from = "192.0.2.7";

    await visit({ from, headers: { "user-agent": "curl/8.5.0" } });
    await visit({ from, headers: { "sec-purpose": "prefetch" } });
    await visit({ from, path: `${ended.id}/impressions` });
    await visit({ path: `${ended.id}/impressions` });

    expect(await stored()).toEqual(["bot", "prefetch", "network", "not_serving"]);
  });

  it("follows the file without a restart", async () => {
    const write = await openBlocking("192.0.2.0/24");
    await visit({ from: "192.0.2.7" });

    await write("198.51.100.0/24\n");

    await vi.waitUntil(
      async () => {
        await visit({ from: "198.51.100.7" });
        return (await stored()).at(-1) === "network";
      },
      { timeout: 20_000, interval: 25 },
    );
    await visit({ from: "192.0.2.7" });
    expect([(await stored())[0], (await stored()).at(-1)]).toEqual(["network", "valid"]);
  });
});

describe("privacy", () => {
  const gpc = { "sec-gpc": "1" };
  const privacies = [
    ["a visitor who asks for privacy", snapshot, gpc],
    ["a workspace that counts no visitors", { ...snapshot, countVisitors: false }, {}],
  ] as const;
  const visitors = async () => (await rig.storedEvents()).map(({ visitor }) => visitor);

  it.each(privacies)(
    "counts the event of %s, and stores nothing that tells who it was",
    async (_whose, of, headers) => {
      await open({ snapshots: [of] });

      await visit({ headers });
      await visit({ headers, path: `${ad.id}/clicks` });
      await visit({ headers, path: `${ad.id}/click`, method: "GET" });
      await visit({ headers, path: `${ad.id}/impression.gif`, method: "GET" });

      expect(await stored()).toEqual(["valid", "valid", "valid", "valid"]);
      expect(await visitors()).toEqual(["", "", "", ""]);
    },
  );

  it.each(privacies)(
    "still tells a second impression of %s from a first, and holds the limit of the address",
    async (_whose, of, headers) => {
      await open({ snapshots: [of], limits: { impressionWindowMs: 10_000, impressionsPerMinute: 3 } });

      const answers = [
        await visit({ headers }),
        await visit({ headers }),
        await visit({ headers: { ...headers, "user-agent": `${FIREFOX} another` } }),
        await visit({ headers }),
      ];

      expect(answers.map(({ body }) => body).at(-1)).toBe('{"success":false}');
      expect(await stored()).toEqual(["valid", "duplicate", "valid"]);
      expect(new Set(await visitors())).toEqual(new Set([""]));
    },
  );

  it.each(["0", "true", "1, 1", "2", ""])("asks for nothing by %j", async (value) => {
    await open();

    await visit({ headers: { "sec-gpc": value } });

    expect(await visitors()).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  });
});
