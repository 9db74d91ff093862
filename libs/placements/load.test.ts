import { beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { newId } from "#libs/domain/ids.ts";
import { createSnapshotSource } from "./load.ts";

const database = await createTestDatabase();
const { db } = database;
const source = createSnapshotSource(db);

/** One workspace with two tiers on sale, one archived, and two ads; and a neighbour that must not leak in. */
async function seedWorkspace() {
  const ids = {
    workspace: newId("workspace"),
    gold: newId("tier"),
    bronze: newId("tier"),
    archived: newId("tier"),
    monthly: newId("price"),
    yearly: newId("price"),
    advertiser: newId("advertiser"),
    running: newId("ad"),
    pending: newId("ad"),
    /** Approved, and not paid for yet. */
    unpaid: newId("ad"),
    /** Off the air for long. */
    ended: newId("ad"),
    tagline: newId("field"),
    note: newId("field"),
  };
  const workspace_id = ids.workspace;
  await db
    .insertInto("workspaces")
    .values({
      id: workspace_id,
      name: "The Daily Grind",
      slug: workspace_id.replaceAll("_", "-"),
      currency: "usd",
    })
    .execute();
  await db
    .insertInto("tiers")
    .values([
      { id: ids.bronze, workspace_id, name: "Bronze", weight: 0.5, order: 1, features: "[]" },
      {
        id: ids.gold,
        workspace_id,
        name: "Gold",
        description: "Top of every page",
        weight: 3,
        order: 0,
        features: JSON.stringify([{ label: "Logo", type: "positive" }]),
      },
      { id: ids.archived, workspace_id, name: "Old", weight: 9, order: 2, features: "[]", is_active: false },
    ])
    .execute();
  const price = {
    workspace_id,
    tier_id: ids.gold,
    interval: "Month",
    interval_count: 1,
    currency: "usd",
  } as const;
  await db
    .insertInto("prices")
    .values([
      { ...price, id: ids.monthly, amount: 9_007_199_254_740_991 },
      { ...price, id: ids.yearly, amount: 100, interval: "Year", is_active: false },
    ])
    .execute();
  const field = { workspace_id, type: "Text", options: "[]" } as const;
  await db
    .insertInto("fields")
    .values([
      { ...field, id: ids.tagline, key: "tagline", name: "Tagline", order: 0 },
      { ...field, id: ids.note, key: "note", name: "Note", order: 1, is_publisher_only: true },
    ])
    .execute();
  await db
    .insertInto("advertisers")
    .values({ id: ids.advertiser, workspace_id, name: "Nord", email: null })
    .execute();
  for (const [adId, tier_id] of [
    [ids.running, ids.archived],
    [ids.pending, ids.gold],
    [ids.unpaid, ids.gold],
    [ids.ended, ids.gold],
  ] as const) {
    const subscription_id = newId("subscription");
    await db
      .insertInto("subscriptions")
      .values({
        id: subscription_id,
        workspace_id,
        advertiser_id: ids.advertiser,
        tier_id,
        price_id: ids.monthly,
        provider_subscription_id: subscription_id,
        status: "Active",
      })
      .execute();
    await db
      .insertInto("ads")
      .values({
        id: adId,
        workspace_id,
        subscription_id,
        name: "Nord ☕",
        website_url: "https://nord.example",
        meta: JSON.stringify({
          [ids.tagline]: "Roasted",
          [ids.note]: "pays late",
          [newId("field")]: "a field gone",
        }),
      })
      .execute();
  }
  return ids;
}

describe("a snapshot from Postgres", () => {
  let ids: Awaited<ReturnType<typeof seedWorkspace>>;
  beforeAll(async () => {
    await seedWorkspace();
    ids = await seedWorkspace();
    await db
      .updateTable("ads")
      .set({
        status: "Approved",
        favicon_url: "https://nord.example/icon.png",
        serving_since: new Date("2026-11-01T00:00:00.123Z"),
        serving_until: new Date("2026-12-01T00:00:00.000Z"),
      })
      .where("id", "=", ids.running)
      .execute();
    await db.updateTable("ads").set({ status: "Approved" }).where("id", "=", ids.unpaid).execute();
    const ended = { serving_since: new Date(0), serving_until: new Date(1) };
    await db
      .updateTable("ads")
      .set({ ...ended, status: "Rejected" })
      .where("id", "=", ids.ended)
      .execute();
    await db.updateTable("workspaces").set({ version: 41 }).where("id", "=", ids.workspace).execute();
  });

  it("has the workspace's version", async () => {
    expect(await source.loadSnapshot(ids.workspace)).toMatchObject({
      workspaceId: ids.workspace,
      version: 41,
    });
  });

  it.each([
    ["events need a proof", "require_proof", "requireProof", false],
    ["pages are recorded", "record_pages", "recordPages", true],
    ["visitors are counted", "count_visitors", "countVisitors", true],
  ] as const)("says whether %s", async (_what, column, rule, usual) => {
    const saying = async (asked: boolean) => {
      await db
        .updateTable("workspaces")
        .set({ [column]: asked })
        .where("id", "=", ids.workspace)
        .execute();
      return (await source.loadSnapshot(ids.workspace))?.[rule];
    };

    expect((await source.loadSnapshot(ids.workspace))?.[rule]).toBe(usual);
    expect([await saying(!usual), await saying(usual)]).toEqual([!usual, usual]);
  });

  it("has approved ads and those that once were on the air, with their tiers' weights, archived or not, and no publisher-only value", async () => {
    const snapshot = await source.loadSnapshot(ids.workspace);

    const withoutContent = {
      name: "",
      websiteUrl: "",
      faviconUrl: "",
      meta: {},
      tierId: ids.gold,
      weight: 3,
    };
    expect(snapshot?.ads).toEqual([
      {
        id: ids.running,
        name: "Nord ☕",
        websiteUrl: "https://nord.example",
        clickUrl: "https://nord.example/",
        faviconUrl: "https://nord.example/icon.png",
        tierId: ids.archived,
        weight: 9,
        meta: { tagline: "Roasted" },
        servingSince: Date.UTC(2026, 10, 1, 0, 0, 0, 123),
        servingUntil: Date.UTC(2026, 11, 1),
      },
      {
        id: ids.unpaid,
        ...withoutContent,
        clickUrl: "https://nord.example/",
        servingSince: null,
        servingUntil: null,
      },
      { id: ids.ended, ...withoutContent, clickUrl: null, servingSince: 0, servingUntil: 1 },
    ]);
    expect((await source.workspacesOfAds([ids.pending])).get(ids.pending)).toBe(ids.workspace);
  });

  it("reads no values of ads that are long off the air, however many there are", async () => {
    const read: Readonly<Record<string, unknown>>[] = [];
    const watched = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read.push(...result.rows);
        return result;
      },
    });

    await createSnapshotSource(watched).loadSnapshot(ids.workspace);

    const valuesOf = (adId: string) => read.find(({ id }) => id === adId)?.meta;
    expect(valuesOf(ids.running)).toMatchObject({ [ids.tagline]: "Roasted" });
    expect([valuesOf(ids.ended), valuesOf(ids.unpaid)]).toEqual([{}, {}]);
  });

  it("leads clicks to approved addresses alone, with what the publisher adds, and nowhere for a suspended workspace or an erased advertiser", async () => {
    const clickUrls = async () =>
      (await source.loadSnapshot(ids.workspace))?.ads.map(({ clickUrl }) => clickUrl);
    const change = async (values: { utm_source?: string; suspended_at?: Date | null }) =>
      await db.updateTable("workspaces").set(values).where("id", "=", ids.workspace).execute();

    await change({ utm_source: "the daily grind" });
    const added = await clickUrls();
    await change({ suspended_at: new Date() });
    const suspended = await clickUrls();
    await change({ suspended_at: null });
    const erase = async (erased_at: Date | null) =>
      await db.updateTable("advertisers").set({ erased_at }).where("id", "=", ids.advertiser).execute();
    await erase(new Date());
    const erased = await clickUrls();
    await erase(null);

    const address = "https://nord.example/?utm_source=the%20daily%20grind";
    expect(added).toEqual([address, address, null]);
    expect(suspended).toEqual([null, null, null]);
    expect(erased).toEqual([null, null, null]);
  });

  it("serves the address as it was typed, and with what the publisher adds as soon as there is something", async () => {
    const change = async (utm_source: string | null) =>
      await db.updateTable("workspaces").set({ utm_source }).where("id", "=", ids.workspace).execute();
    const served = async () =>
      (await source.loadSnapshot(ids.workspace))?.ads.map(({ websiteUrl }) => websiteUrl);

    await change(null);
    const plain = await served();
    await change("grind {tier} {ad}");
    const tagged = await served();
    await change(null);

    // The others are not on the air.
    expect(plain).toEqual(["https://nord.example", "", ""]);
    expect(tagged).toEqual([
      `https://nord.example/?utm_source=${encodeURIComponent("grind Old Nord ☕")}`,
      "",
      "",
    ]);
  });

  it("has the active tiers that have a price on sale, with these, in display order", async () => {
    const snapshot = await source.loadSnapshot(ids.workspace);

    expect(snapshot?.tiers).toEqual([
      {
        id: ids.gold,
        name: "Gold",
        description: "Top of every page",
        weight: 3,
        order: 0,
        features: [{ label: "Logo", type: "positive" }],
        prices: [
          {
            id: ids.monthly,
            interval: "Month",
            intervalCount: 1,
            amount: 9_007_199_254_740_991,
            currency: "usd",
          },
        ],
      },
    ]);
  });

  it("has the limits that the publisher has set, and null for those of the installation", async () => {
    const before = await source.loadSnapshot(ids.workspace);
    await db
      .updateTable("workspaces")
      .set({ impressions_per_minute: 0, clicks_per_minute: 7 })
      .where("id", "=", ids.workspace)
      .execute();

    const after = await source.loadSnapshot(ids.workspace);

    expect(before?.limits).toEqual({ impressionsPerMinute: null, clicksPerMinute: null });
    expect(after?.limits).toEqual({ impressionsPerMinute: 0, clicksPerMinute: 7 });
  });

  it("finds the workspaces of ads among others", async () => {
    const asked = ["nothing", ids.pending, newId("ad"), ids.unpaid];

    expect(await source.workspacesOfAds(asked)).toEqual(
      new Map([
        [ids.pending, ids.workspace],
        [ids.unpaid, ids.workspace],
      ]),
    );
  });

  it.each(["nothing", "", "ws_\u0000", "ad_\ud800", newId("workspace"), newId("ad")])(
    "has nothing for an id that is not there (%j)",
    async (id) => {
      expect(await source.loadSnapshot(id)).toBeNull();
      expect(await source.workspacesOfAds([id])).toEqual(new Map());
    },
  );

  it("reads one moment, however much is written meanwhile", async () => {
    const { workspace } = ids;
    let isDone = false;
    const writing = (async () => {
      for (let version = 100; !isDone; version += 1) {
        await db.transaction().execute(async (transaction) => {
          await transaction.updateTable("workspaces").set({ version }).where("id", "=", workspace).execute();
          await transaction
            .updateTable("ads")
            .set({ name: `Nord ${version}` })
            .where("id", "=", ids.running)
            .execute();
          await transaction
            .updateTable("tiers")
            .set({ name: `Gold ${version}` })
            .where("id", "=", ids.gold)
            .execute();
        });
      }
    })();

    for (let read = 0; read < 50; read += 1) {
      const snapshot = await source.loadSnapshot(workspace);
      if (snapshot === null || snapshot.version < 100) continue;
      expect(snapshot.ads[0]?.name).toBe(`Nord ${snapshot.version}`);
      expect(snapshot.tiers[0]?.name).toBe(`Gold ${snapshot.version}`);
    }
    isDone = true;
    await writing;
  });
});
