import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, expect, it, vi } from "vitest";
import { eventsAnswer } from "#libs/contract/server-events.ts";
import { newKey } from "#libs/domain/api-key.ts";
import { newId } from "#libs/domain/ids.ts";
import { Directory } from "../directory/directory.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { openRig, type ServingRig } from "./serving-rig.ts";

const key = newKey("tracking");
const ad = anAd();
const snapshot = aSnapshot({ ads: [ad], trackingKeys: [key.hash.toString("base64url")] });

let rig: ServingRig;
afterEach(async () => {
  vi.restoreAllMocks();
  await rig.close();
});

async function report(events: readonly unknown[], presented = key.key) {
  const response = await fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/events`, {
    method: "POST",
    body: JSON.stringify({ events }),
    headers: { "content-type": "application/json", authorization: `Bearer ${presented}` },
  });
  return { status: response.status, text: await response.text() };
}

it("asks a database that does not answer once per request, however many ads it does not know", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  await report([{ adId: ad.id, kind: "click" }]);
  rig.source.isAway = true;
  const events = Array.from({ length: 50 }, () => ({ adId: newId("ad"), kind: "click" }));

  const { text } = await report([{ adId: ad.id, kind: "impression" }, ...events]);

  const { accepted, refused } = eventsAnswer.parse(JSON.parse(text));
  expect([accepted, refused.length, new Set(refused.map(({ code }) => code))]).toEqual([
    1,
    50,
    new Set(["try_again"]),
  ]);
  expect(rig.source.searches).toBe(1);
});

it("reads each request in a round of the event loop of its own, so that visitors wait for one of them and not for all", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  let round = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    round += 1;
    next = setImmediate(count);
  };
  const rounds: number[] = [];
  const cachedAd = Directory.prototype.cachedAd;
  vi.spyOn(Directory.prototype, "cachedAd").mockImplementation(function (this: Directory, adId) {
    rounds.push(round);
    // As long as a full request takes: meanwhile other threads decompress all others.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    return cachedAd.call(this, adId);
  });
  await report([{ adId: ad.id, kind: "click" }]);
  const body = gzipSync(JSON.stringify({ events: [{ adId: ad.id, kind: "click" }] }));
  rounds.length = 0;
  next = setImmediate(count);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/events`, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "content-encoding": "gzip",
          authorization: `Bearer ${key.key}`,
        },
      }),
    ),
  ).finally(() => clearImmediate(next));

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(rounds).size).toBe(20);
});

it("makes no text of a megabyte of blank lines, and says which line is no JSON", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  const blank = 1024 * 1024 - 1;
  const texts = vi.spyOn(Buffer.prototype, "toString");

  const response = await fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/events`, {
    method: "POST",
    body: gzipSync(Buffer.concat([Buffer.alloc(blank, "\n"), Buffer.from("{")])),
    headers: {
      "content-type": "application/x-ndjson",
      "content-encoding": "gzip",
      authorization: `Bearer ${key.key}`,
    },
  });

  const longest = Math.max(...texts.mock.results.map(({ value }) => String(value).length));
  expect(longest).toBeLessThan(2_000);
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(`Line ${blank + 1} is not valid JSON`);
});

it("looks at a snapshot once per version to check keys, so that a stranger's cost nothing", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  const find = vi.spyOn(Directory.prototype, "find");
  const strangers = Array.from({ length: 5 }, () => newKey("tracking").key);

  const answers = [];
  for (const presented of [...strangers, key.key])
    answers.push(await report([{ adId: ad.id, kind: "click" }], presented));

  expect(answers.map(({ status }) => status)).toEqual([...strangers.map(() => 401), 200]);
  expect(find).toHaveBeenCalledTimes(1);
});

it("stops taking a key that a new version of the snapshot has lost", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  await report([{ adId: ad.id, kind: "click" }]);

  await rig.placements.publish({ ...snapshot, version: snapshot.version + 1, trackingKeys: [] });

  await expect.poll(async () => (await report([{ adId: ad.id, kind: "click" }])).status).toBe(401);
});

it("keeps no user agent of a megabyte in memory", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  setFlagsFromString("--expose-gc");
  const collectGarbage: unknown = runInNewContext("gc");
  const heap = () => {
    if (typeof collectGarbage === "function") collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();

  for (let index = 0; index < 100; index += 1)
    await report([{ adId: ad.id, kind: "click", userAgent: `${index} ${"x".repeat(900_000)}` }]);

  expect(heap() - before).toBeLessThan(40_000_000);
});
