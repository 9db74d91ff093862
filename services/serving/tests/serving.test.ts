import { afterEach, describe, expect, it, vi } from "vitest";
import { servedAds, servedTiers } from "#libs/contract/serving.ts";
import { newId } from "#libs/domain/ids.ts";
import type { Snapshot } from "#libs/placements/index.ts";
import { anAd, aSnapshot, aTier } from "./builders.ts";
import { openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

describe("serving over HTTP", () => {
  let rig: ServingRig;
  afterEach(() => rig.close());

  async function open(snapshot: Snapshot, options: RigOptions = {}) {
    rig = await openRig({ snapshots: [snapshot], ...options });
    const base = `${rig.url}/workspaces/${snapshot.workspaceId}`;
    return {
      getAds: (query = "", init: RequestInit = {}) => fetch(`${base}/ads/serving${query}`, init),
      getTiers: (init: RequestInit = {}) => fetch(`${base}/tiers/serving`, init),
    };
  }

  it("answers ads and tiers exactly in the contract's shapes", async () => {
    const snapshot = aSnapshot({
      ads: [anAd({ meta: { tagline: "“Café” ☕", stars: 5, nested: [null] } }), anAd({ servingSince: null })],
      tiers: [aTier(), aTier({ features: [], prices: [] })],
    });
    const { getAds, getTiers } = await open(snapshot);

    const ads: unknown = await (await getAds("?count=50")).json();
    const tiers: unknown = await (await getTiers()).json();

    const [{ id, name, websiteUrl, faviconUrl, weight, meta } = anAd()] = snapshot.ads;
    expect(ads).toEqual({ ads: [{ id, name, websiteUrl, faviconUrl, weight, meta }] });
    expect(servedAds.strict().parse(ads)).toEqual(ads);
    expect(tiers).toEqual({ tiers: snapshot.tiers });
    expect(servedTiers.strict().parse(tiers)).toEqual(tiers);
  });

  it("answers an empty list when no ad is eligible", async () => {
    const { getAds } = await open(aSnapshot({ ads: [anAd({ servingSince: null })] }));

    const response = await getAds();

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ads: [] });
  });

  it("takes bounds of the weight in brackets, plain or percent-encoded", async () => {
    const [gold, silver, bronze] = [3, 2, 1].map((weight) => anAd({ weight }));
    const { getAds } = await open(
      aSnapshot({ ads: [gold, silver, bronze].filter((ad) => ad !== undefined) }),
    );

    for (const query of ["weight[gte]=2&weight[lt]=3", "weight%5Bgte%5D=2&weight%5Blt%5D=3"]) {
      const { ads } = servedAds.parse(await (await getAds(`?count=50&${query}`)).json());
      expect(ads.map(({ id }) => id)).toEqual([silver?.id]);
    }
  });

  it("writes a bounded number of large answers for one address, and answers what is known or small", async () => {
    const text = "x".repeat(30_000);
    const large = Array.from({ length: 50 }, () => anAd({ meta: { text } }));
    const snapshot = aSnapshot({ ads: [...large, anAd({ weight: 0.5 })] });
    const { getAds } = await open(snapshot, { now: () => NOON });
    const madeUp = (n: number) => `count=50&weight[gte]=${-1 - n / 1_000}`;
    const cached = `?${madeUp(0)}`;
    const etag = (await getAds(cached)).headers.get("etag") ?? "";

    const statuses = [];
    for (let n = 1; n <= 110; n += 1)
      statuses.push((await getAds(`?${madeUp(n)}`, { method: "HEAD" })).status);
    const refused = await getAds(`?${madeUp(200)}`);
    const known = await getAds(`${cached}&excludeIds=`, { headers: { "if-none-match": etag } });

    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(90);
    expect(statuses.at(-1)).toBe(429);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await getAds("?weight[lt]=1")).status).toBe(200);
    expect(known.status).toBe(304);
  });

  it("bounds for one address also small answers whose ads have to be decompressed", async () => {
    const text = "x".repeat(150);
    const snapshot = aSnapshot({ ads: Array.from({ length: 2_000 }, () => anAd({ meta: { text } })) });
    const { getAds } = await open(snapshot, { now: () => NOON });

    const statuses = new Set<number>();
    for (let n = 1; n <= 2_000 && !statuses.has(429); n += 1)
      statuses.add((await getAds(`?count=50&weight[gte]=${-n}`, { method: "HEAD" })).status);

    expect([...statuses]).toEqual([200, 429]);
  });

  it("may be cached no longer than the window lasts", async () => {
    let now = NOON;
    const { getAds } = await open(aSnapshot(), { now: () => now });
    const cachingAfter = async (milliseconds: number) => {
      now = NOON + milliseconds;
      return (await getAds()).headers.get("cache-control");
    };

    expect(await cachingAfter(0)).toBe("public, max-age=5, s-maxage=10, stale-while-revalidate=30");
    expect(await cachingAfter(57_001)).toBe("public, max-age=2, s-maxage=2, stale-while-revalidate=0");
    expect(await cachingAfter(60_000)).toBe("public, max-age=5, s-maxage=10, stale-while-revalidate=30");
  });

  it("takes an ad off the moment its time is over, also from answers that were ready", async () => {
    let now = NOON;
    const ad = anAd({ servingUntil: NOON + 4_000 });
    const { getAds } = await open(aSnapshot({ ads: [ad] }), { now: () => now });
    const before = await getAds();

    now = NOON + 4_000;
    const after = await getAds();

    expect(before.headers.get("cache-control")).toContain("max-age=4");
    expect(servedAds.parse(await before.json()).ads).toHaveLength(1);
    expect(servedAds.parse(await after.json()).ads).toEqual([]);
  });

  it("answers 304 to who has the answer already, and the next window's to who had the last", async () => {
    let now = NOON;
    const ads = Array.from({ length: 40 }, () => anAd());
    const { getAds, getTiers } = await open(aSnapshot({ ads }), { now: () => now });
    const etag = (await getAds("?count=50")).headers.get("etag") ?? "";
    const again = (tag: string) => getAds("?count=50", { headers: { "if-none-match": tag } });

    const same = await again(`"other", W/${etag}`);
    now += 60_000;
    const next = await again(etag);
    const tiers = await getTiers({ headers: { "if-none-match": "*" } });

    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    expect(same.headers.get("access-control-allow-origin")).toBe("*");
    expect(next.status).toBe(200);
    expect(tiers.status).toBe(304);
  });

  it("answers HEAD with the headers of GET", async () => {
    const { getAds } = await open(aSnapshot());
    const got = await getAds();

    const head = await getAds("", { method: "HEAD" });

    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["etag", "content-length", "content-type", "access-control-allow-origin"]) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  });

  it("is open to any site, without credentials, and says so to a preflight", async () => {
    const { getAds } = await open(aSnapshot());

    const answers = [await getAds(), await getAds("", { method: "OPTIONS" }), await getAds("?count=abc")];

    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.has("access-control-allow-credentials")).toBe(false);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 422]);
    expect(answers[0]?.headers.get("access-control-expose-headers")).toContain("etag");
  });

  it("shows a change within a second of its publication", async () => {
    const snapshot = aSnapshot();
    const { getAds, getTiers } = await open(snapshot);
    await (await getAds()).text();
    const changed = { ...snapshot, version: 2, ads: [anAd({ name: "Fresh" })], tiers: [] };

    await rig.placements.publish(changed);

    await vi.waitFor(
      async () => {
        expect(servedAds.parse(await (await getAds()).json()).ads).toMatchObject([{ name: "Fresh" }]);
        expect(await (await getTiers()).json()).toEqual({ tiers: [] });
      },
      { timeout: 1_000, interval: 20 },
    );
  });

  it("answers 404 for a workspace that is not there, until it is", async () => {
    const snapshot = aSnapshot({ workspaceId: newId("workspace") });
    rig = await openRig();
    const get = () => fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/ads/serving`);

    const missing = await get();
    await rig.placements.publish(snapshot);
    const present = await get();

    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({
      defined: true,
      code: "NOT_FOUND",
      status: 404,
      message: "Workspace not found.",
      data: { requestId: missing.headers.get("x-request-id") },
    });
    expect(present.status).toBe(200);
  });

  it("answers 503 with Retry-After when a first load fails, and recovers", async () => {
    const snapshot = aSnapshot();
    const { getAds } = await open(snapshot);
    rig.source.isAway = true;

    const failed = await getAds();
    rig.source.isAway = false;
    const recovered = await getAds();

    expect(failed.status).toBe(503);
    expect(failed.headers.get("retry-after")).toBe("1");
    expect(await failed.json()).toMatchObject({ defined: false, code: "SERVICE_UNAVAILABLE", status: 503 });
    expect(recovered.status).toBe(200);
    expect(rig.warnings).toHaveLength(1);
  });
});
