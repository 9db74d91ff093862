import { expect, vi } from "vitest";
import { adTraffic } from "#libs/contract/ad.ts";
import type { Publisher } from "../../management/tests/story.ts";
import { aPublisherWithAds } from "./publisher.ts";
import { aServer, send, sendUntilAccepted } from "./server-requests.ts";

const COUNTED_WITHIN = { timeout: 60_000, interval: 200 };

/** An event of a server's report: how long ago it occurred, in seconds; undefined has no time of its own. */
interface Reported {
  readonly visitor: string;
  readonly ago?: number;
  readonly kind?: "click";
  readonly ofOtherAd?: boolean;
}
interface Case {
  readonly name: string;
  /** The requests, one after the other; a key makes the request repeatable. */
  readonly requests: readonly { readonly events: readonly Reported[]; readonly key?: string }[];
  readonly valid: number;
  readonly duplicate: number;
}

/** Events of visitors of their own, as far apart as said, in seconds. */
const series = (count: number, step: number): Reported[] =>
  Array.from({ length: count }, (_, n) => ({ visitor: `${n}`, ago: n * step + 1 }));
const twice = (events: readonly Reported[]) => [{ events }, { events }];
const reloading = Array.from({ length: 10 }, (_, n) => ({ visitor: `${n}`, ago: 2 + 3 * n }));

/** What a server reports in batches, whose events are of many windows. */
const CASES: readonly Case[] = [
  { name: "two events", requests: twice(series(2, 14)), valid: 2, duplicate: 2 },
  { name: "three windows", requests: twice(series(3, 15)), valid: 3, duplicate: 3 },
  { name: "50 events over 50 s", requests: twice(series(50, 1)), valid: 50, duplicate: 50 },
  { name: "an hour", requests: twice(series(50, 72)), valid: 50, duplicate: 50 },
  {
    name: "with a key, then without",
    requests: [{ events: series(50, 1), key: "first" }, { events: series(50, 1) }],
    valid: 50,
    duplicate: 50,
  },
  {
    name: "put together in another way under the same key",
    requests: [
      { events: series(50, 1), key: "again" },
      { events: series(20, 1), key: "again" },
    ],
    valid: 50,
    duplicate: 20,
  },
  {
    name: "readers who reload at another server",
    requests: [
      { events: reloading },
      { events: reloading.map(({ visitor, ago }) => ({ visitor, ago: ago - 1 })) },
    ],
    valid: 10,
    duplicate: 10,
  },
  {
    name: "late events of another ad in between",
    requests: [
      { events: [{ visitor: "a", ago: 3 }] },
      { events: [100, 200].map((ago) => ({ visitor: `${ago}`, ago, ofOtherAd: true })) },
      { events: [{ visitor: "a", ago: 3 }] },
    ],
    valid: 1,
    duplicate: 1,
  },
  {
    name: "an event of now, then a batch with one that is a minute old",
    requests: [
      { events: [{ visitor: "a" }] },
      {
        events: [
          { visitor: "b", ago: 60 },
          { visitor: "a", ago: 0 },
        ],
      },
    ],
    valid: 2,
    duplicate: 1,
  },
  {
    name: "three clicks of one visitor",
    requests: twice([0, 3, 6].map((ago) => ({ visitor: "a", ago: ago + 1, kind: "click" }))),
    valid: 3,
    duplicate: 3,
  },
];

/** Reports every case to an installation, each for an ad of its own, and expects what is counted of it. */
export async function expectDuplicatesOfBatches(origin: string): Promise<void> {
  const { publisher, adIds } = await aPublisherWithAds(origin, CASES.length + 1);
  const otherAdId = adIds.at(-1) ?? "";
  const server = await aServer(publisher);
  // Serving learns of the key a moment later.
  await sendUntilAccepted(origin, server.aRequest(otherAdId, true));
  const now = Date.now();

  for (const [index, { requests }] of CASES.entries()) {
    for (const [number, { events, key }] of requests.entries()) {
      const body = JSON.stringify({
        events: events.map(({ visitor, ago, kind = "impression", ofOtherAd = false }) => ({
          adId: ofOtherAd ? otherAdId : adIds[index],
          kind,
          visitorId: visitor,
          ...(ago === undefined ? {} : { occurredAt: new Date(now - ago * 1_000).toISOString() }),
        })),
      });
      const idempotencyKey = `${index}-${key ?? number}`;
      const request = { path: `${publisher.path}/events`, key: server.key, idempotencyKey, body };
      const { status, text } = await send(origin, request);
      expect({ status, ...JSON.parse(text) }).toEqual({ status: 200, accepted: events.length, refused: [] });
    }
  }

  await vi.waitFor(async () => {
    const counted = await Promise.all(adIds.slice(0, -1).map((adId) => verdictsOf(publisher, adId)));
    expect(counted.map((verdicts, index) => ({ name: CASES[index]?.name, ...verdicts }))).toEqual(
      CASES.map(({ name, valid, duplicate }) => ({ name, valid, duplicate })),
    );
  }, COUNTED_WITHIN);
}

/** Yesterday's events included: midnight may pass during a test. */
async function verdictsOf({ caller, path }: Publisher, adId: string) {
  const { rows } = await caller.ok(adTraffic, "GET", `${path}/ads/${adId}/traffic?days=2`);
  const sum = (verdict: string) =>
    rows.filter((row) => row.verdict === verdict).reduce((total, { events }) => total + events, 0);
  return { valid: sum("valid"), duplicate: sum("duplicate") };
}
