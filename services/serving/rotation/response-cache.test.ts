import { expect, it } from "vitest";
import { Proofs } from "../answers/proofs.ts";
import { prepareSnapshot } from "../directory/prepared-snapshot.ts";
import { anAd, aSnapshot } from "../tests/builders.ts";
import { ResponseCache } from "./response-cache.ts";
import { parseServingQuery } from "./serving-query.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const URL = "/v1/workspaces/ws_1/ads/serving?count=50";
const ads = [anAd(), anAd({ name: "Café ☕" })];
const snapshot = aSnapshot({ ads });

function aCache(): ResponseCache {
  return new ResponseCache({
    secret: "a secret",
    proofs: new Proofs({ secrets: ["another"], validMinutes: 15 }),
  });
}

function choose(query: Record<string, string>, content = snapshot, now = NOON) {
  return aCache().choose(URL, prepareSnapshot(content), parseServingQuery({ count: "50", ...query }), now);
}

it("writes an answer only when it is asked to, and caches that", () => {
  const cache = aCache();
  const prepared = prepareSnapshot(snapshot);

  const chosen = cache.choose(URL, prepared, parseServingQuery({ count: "50" }), NOON);
  const before = cache.get(URL, snapshot.version, NOON);
  const written = chosen.write();

  expect(before).toBeUndefined();
  expect(cache.get(URL, snapshot.version, NOON)).toBe(written);
  expect(written).toMatchObject({ etag: chosen.etag, ends: chosen.ends, encoding: "utf8" });
  expect(written.length).toBe(Buffer.byteLength(written.body));
});

it("tells answers apart by what they say alone", () => {
  const { etag } = choose({});
  const renamed = aSnapshot({ ...snapshot, ads: ads.map((ad) => ({ ...ad, name: "Another" })) });

  expect(choose({}, { ...snapshot, version: 2 }).etag).toBe(etag);
  expect(choose({}, renamed).etag).not.toBe(etag);
  expect(choose({ count: "1" }).etag).not.toBe(etag);
  expect(choose({ proof: "1" }).etag).not.toBe(etag);
  expect(choose({ proof: "1" }, snapshot, NOON + MINUTE_MS).etag).not.toBe(choose({ proof: "1" }).etag);
});
