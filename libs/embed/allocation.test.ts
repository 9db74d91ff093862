import fc from "fast-check";
import { expect, it } from "vitest";
import { Allocation, type FetchAds } from "./allocation.ts";
import type { Ad, AdRequest } from "./types/embed.d.mts";

const BASE = "https://ads.example.com/";

/** A service with `count` ads, and what it was asked for. */
function serve(count: number): { fetchAds: FetchAds; asked: AdRequest[] } {
  const ads: Ad[] = Array.from({ length: count }, (_, index) => ({
    id: `ad_${index}`,
    name: `Ad ${index}`,
    websiteUrl: "https://example.com/",
    faviconUrl: "",
    weight: 1,
    meta: {},
  }));
  const asked: AdRequest[] = [];
  const fetchAds: FetchAds = async (request) => {
    asked.push(request);
    return ads.filter(({ id }) => !request.excludeIds?.includes(id)).slice(0, request.count);
  };
  return { fetchAds, asked };
}

const ids = ({ ads }: { ads: readonly Ad[] }) => ads.map(({ id }) => id);

it("gives no ad to two places, however many there are and whatever they want", async () => {
  const claim = fc.record({
    count: fc.integer({ min: 1, max: 60 }),
    weightGte: fc.constantFrom(undefined, 1, 2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(claim, { maxLength: 12 }), fc.nat(80), async (claims, count) => {
      const { fetchAds, asked } = serve(count);
      const allocation = new Allocation();

      const given = await Promise.all(
        claims.map((one) => allocation.claim(BASE, { workspace: "ws_1", ...one }, fetchAds)),
      );

      const all = given.flatMap(ids);
      expect(new Set(all).size).toBe(all.length);
      expect(asked.every((request) => (request.count ?? 0) <= 50)).toBe(true);
      expect(given.every(({ ads }, index) => ads.length <= (claims[index]?.count ?? 0))).toBe(true);
    }),
  );
});

it("answers claims of one turn that want the same with one request, in their order", async () => {
  const { fetchAds, asked } = serve(9);
  const allocation = new Allocation();

  const given = await Promise.all(
    [2, 1].map((count) => allocation.claim(BASE, { workspace: "ws_1", count }, fetchAds)),
  );

  expect(given.map(ids)).toEqual([["ad_0", "ad_1"], ["ad_2"]]);
  expect(asked).toHaveLength(1);
});

it("gives again what was released, and releases only once", async () => {
  const { fetchAds } = serve(1);
  const allocation = new Allocation();
  const claim = () => allocation.claim(BASE, { workspace: "ws_1" }, fetchAds);

  const first = await claim();
  first.release();
  const second = await claim();
  first.release();
  const third = await claim();

  expect([first, second, third].map(ids)).toEqual([["ad_0"], ["ad_0"], []]);
});

it("gives nothing to a claim that was given up, and does not ask for it", async () => {
  const { fetchAds, asked } = serve(9);
  const allocation = new Allocation();
  const leaving = new AbortController();

  const given = allocation.claim(BASE, { workspace: "ws_1" }, fetchAds, leaving.signal);
  const kept = allocation.claim(BASE, { workspace: "ws_1" }, fetchAds);
  leaving.abort(new Error("left"));

  await expect(given).rejects.toThrow("left");
  expect(ids(await kept)).toEqual(["ad_0"]);
  expect(asked.map(({ count }) => count)).toEqual([1]);
});

it("continues with the next claim when a request fails", async () => {
  const { fetchAds } = serve(9);
  const allocation = new Allocation();
  const failing: FetchAds = async () => {
    throw new Error("away");
  };

  const failed = allocation.claim(BASE, { workspace: "ws_1" }, failing);
  const next = allocation.claim(BASE, { workspace: "ws_2" }, fetchAds);

  await expect(failed).rejects.toThrow("away");
  expect(ids(await next)).toEqual(["ad_0"]);
});
