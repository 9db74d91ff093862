import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareSnapshot } from "../directory/prepared-snapshot.ts";
import { anAd, aSnapshot } from "../tests/builders.ts";
import { periodAt, rotate } from "./rotation.ts";
import { parseServingQuery, type RawQuery } from "./serving-query.ts";

const SECRET = "a secret for tests";
const NOON = Date.UTC(2026, 10, 21, 12);
const TIERS = [
  "tier_01kahm4sw4fksra52s8bd8xkd1",
  "tier_01kahm4sw4fksra52s8bd8xkd2",
  "tier_01kahm4sw4fksra52s8bd8xkd3",
];

const workspace = prepareSnapshot(
  aSnapshot({
    ads: Array.from({ length: 60 }, (_, index) =>
      anAd({ tierId: TIERS[index % 3] ?? "", weight: (index % 3) * 2 + 1 }),
    ),
  }),
);

function idsAt(now: number, query: RawQuery, snapshot = workspace): string[] {
  return rotate(snapshot, periodAt(snapshot, now), parseServingQuery(query), SECRET).map(({ id }) => id);
}

/** A filter in the form of a query, over tiers and weights that are there and some that are not. */
const someFilter = fc.record(
  {
    "weight[gte]": fc.constantFrom("-1", "0", "1", "3", "4.5", "5"),
    "weight[lt]": fc.constantFrom("0", "1", "3", "5", "1e300"),
    tierId: fc.subarray([...TIERS, "tier_01kahm4sw4fksra52s8bd8xkdz", "no id"], { minLength: 1 }),
  },
  { requiredKeys: [] },
);

describe("rotation", () => {
  it("keeps the order for identical parameters within a window", () => {
    fc.assert(
      fc.property(someFilter, fc.nat(59_999), fc.nat(59_999), (filter, one, other) => {
        expect(idsAt(NOON + one, { ...filter, count: "50" })).toEqual(
          idsAt(NOON + other, { ...filter, count: "50" }),
        );
      }),
    );
  });

  it("answers alike in another process, whatever order the snapshot came in", () => {
    const elsewhere = prepareSnapshot(
      aSnapshot({
        workspaceId: workspace.workspaceId,
        ads: workspace.ads.toReversed().map(({ id, tierId, weight }) => anAd({ id, tierId, weight })),
      }),
    );

    expect(idsAt(NOON, { count: "50" }, elsewhere)).toEqual(idsAt(NOON, { count: "50" }));
  });

  it("ends an answer before the ad with which it would take over 1 MiB, but never before the first", () => {
    const withStory = (length: number) =>
      prepareSnapshot(
        aSnapshot({ ads: Array.from({ length: 50 }, () => anAd({ meta: { story: "x".repeat(length) } })) }),
      );
    const [long, longer, tooLong] = [withStory(32_000), withStory(100_000), withStory(2_000_000)];

    expect(idsAt(NOON, { count: "50" }, long)).toHaveLength(32);
    expect(idsAt(NOON, { count: "50" }, longer)).toHaveLength(10);
    expect(idsAt(NOON, { count: "3" }, longer)).toEqual(idsAt(NOON, { count: "50" }, longer).slice(0, 3));
    expect(idsAt(NOON, { count: "50" }, tooLong)).toHaveLength(1);
  });

  it("draws a new order in the next window", () => {
    const orders = Array.from({ length: 20 }, (_, window) => idsAt(NOON + window * 60_000, { count: "50" }));

    expect(new Set(orders.map(String)).size).toBe(20);
  });

  it("keeps the orders of 16 filters for a period, and that of none", () => {
    const period = periodAt(workspace, NOON);
    const ask = (query: RawQuery) => rotate(workspace, period, parseServingQuery(query), SECRET);

    for (let weight = 0; weight < 20; weight += 1) ask({ "weight[gte]": String(weight) });
    ask({});

    expect(period.orders.size).toBe(17);
    expect(period.orders.has(parseServingQuery({}).filter.key)).toBe(true);
  });

  it("draws an order of its own for each workspace and each filter", () => {
    const twin = { ...workspace, workspaceId: "ws_01kahm4sw4fksra52s8bd8xkd1" };

    expect(idsAt(NOON, { count: "50" }, twin)).not.toEqual(idsAt(NOON, { count: "50" }));
    expect(idsAt(NOON, { count: "50", tierId: TIERS })).not.toEqual(idsAt(NOON, { count: "50" }));
  });

  it("answers every count with the head of the answer to 50", () => {
    fc.assert(
      fc.property(someFilter, fc.integer({ min: -10, max: 1000 }), fc.nat(), (filter, count, later) => {
        const all = idsAt(NOON + later, { ...filter, count: "50" });
        const clamped = Math.min(50, Math.max(1, count));
        expect(idsAt(NOON + later, { ...filter, count: String(count) })).toEqual(all.slice(0, clamped));
      }),
    );
  });

  it("keeps the order of the rest when ads are excluded", () => {
    const ids = workspace.ads.map(({ id }) => id);

    fc.assert(
      fc.property(someFilter, fc.subarray(ids), (filter, excludeIds) => {
        const snapshot = { ...workspace, ads: workspace.ads.slice(0, 50) };
        const all = idsAt(NOON, { ...filter, count: "50" }, snapshot);
        const rest = idsAt(NOON, { ...filter, count: "50", excludeIds }, snapshot);
        expect(rest).toEqual(all.filter((id) => !excludeIds.includes(id)));
      }),
    );
  });

  it("still fills the count when as many ads as possible are excluded", () => {
    const large = prepareSnapshot(aSnapshot({ ads: Array.from({ length: 260 }, () => anAd()) }));
    const first: string[] = [];
    for (let page = 0; page < 4; page += 1) {
      first.push(...idsAt(NOON, { count: "50", excludeIds: first }, large));
    }

    const next = idsAt(NOON, { count: "50", excludeIds: first }, large);

    expect(next).toHaveLength(50);
    expect(new Set([...first, ...next]).size).toBe(250);
  });

  it("takes exactly the ads that pass the filter", () => {
    fc.assert(
      fc.property(someFilter, (filter) => {
        const snapshot = { ...workspace, ads: workspace.ads.slice(0, 50) };
        const expected = snapshot.ads.filter(
          (ad) =>
            (filter.tierId === undefined || filter.tierId.includes(ad.tierId)) &&
            ad.weight >= Number(filter["weight[gte]"] ?? 0) &&
            ad.weight < Number(filter["weight[lt]"] ?? Infinity),
        );
        const ids = idsAt(NOON, { ...filter, count: "50" }, snapshot);
        expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      }),
    );
  });

  it("serves an ad up to its end, also when the clock was set back to before its beginning", () => {
    const ad = anAd({ servingSince: NOON + 10_000, servingUntil: NOON + 20_000 });
    const snapshot = prepareSnapshot(aSnapshot({ ads: [ad] }));

    const served = [-3_600_000, 9_999, 10_000, 19_999, 20_000].map(
      (later) => idsAt(NOON + later, {}, snapshot).length,
    );

    expect(served).toEqual([1, 1, 1, 1, 0]);
  });

  it("ends a period when the next ad ends, at the latest with the window", () => {
    const snapshot = prepareSnapshot(
      aSnapshot({ ads: [anAd({ servingSince: NOON + 10_000, servingUntil: NOON + 20_000 })] }),
    );

    const periods = [0, 10_000, 20_000].map((later) => periodAt(snapshot, NOON + later));

    expect(periods.map(({ starts, ends }) => [starts - NOON, ends - NOON])).toEqual([
      [0, 20_000],
      [0, 20_000],
      [20_000, 60_000],
    ]);
  });
});
