import { expect, it, vi } from "vitest";
import { pageOf } from "#libs/contract/query.ts";
import { tier } from "#libs/contract/tiers.ts";
import { newId } from "#libs/domain/ids.ts";
import { auditOf, versionOf } from "../../tests/catalogue-facts.ts";
import { startManagement } from "../../tests/management.ts";
import { aMember, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const neighbour = await aPublisher(service, "Another Weekly");

const aPrice = { amount: 4900, intervalCount: 1, currency: "usd" };
const aBody = { name: "Gold", weight: 3, initialPrices: [aPrice] };

async function servedTiers() {
  return (await service.placements.read(publisher.workspace.id))?.tiers ?? [];
}

it("creates a tier with the defaults for omitted values", async () => {
  const made = await caller.ok(tier, "POST", `${path}/tiers`, { ...aBody, name: "  Gold  " });

  expect(made).toEqual({
    id: expect.stringMatching(/^tier_[0-9a-z]{26}$/),
    name: "Gold",
    description: "",
    weight: 3,
    order: 0,
    isActive: true,
    features: [],
    prices: [
      {
        id: expect.stringMatching(/^price_[0-9a-z]{26}$/),
        isActive: true,
        interval: "Month",
        intervalCount: 1,
        amount: 4900,
        currency: "usd",
      },
    ],
  });
  expect(await caller.ok(tier, "GET", `${path}/tiers/${made.id}`)).toEqual(made);
});

it("keeps every part of a tier and the prices in the order they were given", async () => {
  const body = {
    name: "🥇".repeat(80),
    description: "Two lines,\nand a tab\t.",
    weight: 0.25,
    order: 9_007_199_254_740_991,
    isActive: false,
    features: Array.from({ length: 15 }, (_, index) => ({
      label: `Line ${index}`,
      type: ["neutral", "positive", "negative"][index % 3],
    })),
    initialPrices: [
      { amount: 0, intervalCount: 730, currency: "usd", interval: "Day" },
      { amount: 99_999_999, intervalCount: 104, currency: "usd", interval: "Week" },
      { amount: 500, intervalCount: 24, currency: "jpy", interval: "Month" },
      { amount: 500, intervalCount: 2, currency: "kwd", interval: "Year" },
      { amount: 10, intervalCount: 1, currency: "kwd", interval: "Year" },
    ],
  };

  const { id, prices, ...made } = await caller.ok(tier, "POST", `${path}/tiers`, body);

  expect({ ...made, initialPrices: prices.map(({ id: _, isActive: __, ...price }) => price) }).toEqual(body);
  // Nothing comes after the largest order, so the next tier ties with it and is the newer of the two.
  const next = await aTier(publisher);
  expect(next.order).toBe(9_007_199_254_740_991);
  await caller.ok(tier, "PATCH", `${path}/tiers/${id}`, { order: 1 });
  await caller.ok(tier, "PATCH", `${path}/tiers/${next.id}`, { order: 2 });
});

it("answers 409 at the second of two initial prices of one shape and creates nothing", async () => {
  const before = await caller.ok(pageOf(tier), "GET", `${path}/tiers?perPage=1`);
  const initialPrices = [
    aPrice,
    { ...aPrice, currency: "eur" },
    { ...aPrice, amount: 100, interval: "Month" },
  ];

  const { data } = await caller.refused(409, "POST", `${path}/tiers`, { ...aBody, initialPrices });

  expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["initialPrices.2"]);
  expect((await caller.ok(pageOf(tier), "GET", `${path}/tiers?perPage=1`)).total).toBe(before.total);
});

it("gives tiers that are created at once an order of their own", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => aTier(neighbour)));

  expect(made.map(({ order }) => order).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it("lists tiers by order and then by id, archived ones included", async () => {
  const own = await aPublisher(service, "A Third Weekly");
  const empty = await own.caller.ok(pageOf(tier), "GET", `${own.path}/tiers`);
  const late = await aTier(own, { order: 7 });
  const early = await aTier(own, { order: 2 });
  const tied = await aTier(own, { order: 7 });
  await own.caller.ok(tier, "DELETE", `${own.path}/tiers/${early.id}`);

  const first = await own.caller.ok(pageOf(tier), "GET", `${own.path}/tiers?perPage=2`);
  const beyond = await own.caller.ok(pageOf(tier), "GET", `${own.path}/tiers?perPage=2&page=9`);

  expect(empty).toEqual({ items: [], total: 0, page: 1, perPage: 25, pageCount: 1, nextCursor: null });
  expect(first).toMatchObject({ total: 3, page: 1, perPage: 2, pageCount: 2 });
  expect(first.items).toEqual([{ ...early, isActive: false }, late]);
  expect(beyond).toMatchObject({ page: 2, items: [tied] });
});

it("archives and unarchives, each time told to serving, and twice as well as once", async () => {
  const made = await aTier(publisher);
  await vi.waitFor(async () => expect((await servedTiers()).map(({ id }) => id)).toContain(made.id), 20_000);

  const archived = await caller.ok(tier, "DELETE", `${path}/tiers/${made.id}`);
  await vi.waitFor(
    async () => expect((await servedTiers()).map(({ id }) => id)).not.toContain(made.id),
    20_000,
  );
  const version = await versionOf(service, publisher);
  const again = await caller.ok(tier, "DELETE", `${path}/tiers/${made.id}`);
  expect(await versionOf(service, publisher)).toBe(version);
  const restored = await caller.ok(tier, "POST", `${path}/tiers/${made.id}/unarchive`);
  const still = await caller.ok(tier, "POST", `${path}/tiers/${made.id}/unarchive`);

  expect(archived).toEqual({ ...made, isActive: false });
  expect(again).toEqual(archived);
  expect([restored, still]).toEqual([made, made]);
  expect(await versionOf(service, publisher)).toBe(version + 1);
  await vi.waitFor(async () => expect((await servedTiers()).map(({ id }) => id)).toContain(made.id), 20_000);
});

it("changes the sent values and keeps the rest, and serving sees a new weight and name", async () => {
  const made = await aTier(publisher, { features: [{ label: "Logo", type: "positive" }] });

  const renamed = await caller.ok(tier, "PATCH", `${path}/tiers/${made.id}`, {
    name: " Platinum ",
    weight: 4.5,
  });
  const stripped = await caller.ok(tier, "PATCH", `${path}/tiers/${made.id}`, {
    features: [],
    isActive: false,
  });
  const back = await caller.ok(tier, "PATCH", `${path}/tiers/${made.id}`, {
    isActive: true,
    description: "Top.",
  });

  expect(renamed).toEqual({ ...made, name: "Platinum", weight: 4.5 });
  expect(stripped).toEqual({ ...renamed, features: [], isActive: false });
  expect(back).toEqual({ ...renamed, features: [], description: "Top." });
  await vi.waitFor(
    async () =>
      expect(await servedTiers()).toContainEqual(
        expect.objectContaining({ id: made.id, name: "Platinum", weight: 4.5, description: "Top." }),
      ),
    20_000,
  );
});

it("neither announces nor records a change that changes nothing", async () => {
  const made = await aTier(publisher);
  const version = await versionOf(service, publisher);

  for (const body of [{}, { name: made.name, weight: made.weight }]) {
    expect(await caller.ok(tier, "PATCH", `${path}/tiers/${made.id}`, body)).toEqual(made);
  }

  expect(await versionOf(service, publisher)).toBe(version);
  expect(await auditOf(service, made.id)).toHaveLength(1);
});

it("loses none of the changes that are sent at once to different parts", async () => {
  const made = await aTier(publisher);
  const changes = [
    { name: "Silver" },
    { weight: 9 },
    { description: "Now." },
    { order: 5 },
    { isActive: false },
  ];

  await Promise.all(changes.map((body) => caller.ok(tier, "PATCH", `${path}/tiers/${made.id}`, body)));

  expect(await caller.ok(tier, "GET", `${path}/tiers/${made.id}`)).toEqual(
    Object.assign({ ...made }, ...changes),
  );
});

it("answers 404 for an id that is not one of the workspace's tiers, 403 for a key of another and for a Viewer's writes", async () => {
  const made = await aTier(publisher);
  const { caller: viewer } = await aMember(service, publisher, "Viewer");
  const calls = [
    ["GET", ""],
    ["PATCH", "", { name: "Taken over" }],
    ["DELETE", ""],
    ["POST", "/unarchive"],
  ] as const;

  for (const [method, suffix, body] of calls) {
    for (const id of [newId("tier"), "tier_1", "%00", "%F0%9F%92%A5", publisher.workspace.id]) {
      const { message } = await caller.refused(404, method, `${path}/tiers/${id}${suffix}`, body);
      expect(message).toBe("Tier not found.");
    }
    await neighbour.caller.refused(404, method, `${neighbour.path}/tiers/${made.id}${suffix}`, body);
    await neighbour.caller.refused(403, method, `${path}/tiers/${made.id}${suffix}`, body);
    if (method !== "GET") await viewer.refused(403, method, `${path}/tiers/${made.id}${suffix}`, body);
  }
  await viewer.refused(403, "POST", `${path}/tiers`, aBody);

  expect(await viewer.ok(tier, "GET", `${path}/tiers/${made.id}`)).toEqual(made);
  expect((await viewer.ok(pageOf(tier), "GET", `${path}/tiers`)).items).toContainEqual(made);
});

it("records who made, changed, archived and unarchived a tier, with what differs", async () => {
  const made = await aTier(publisher);
  await caller.ok(tier, "PATCH", `${path}/tiers/${made.id}`, { name: "Silver", weight: 3 });
  await publisher.person.caller.ok(tier, "DELETE", `${path}/tiers/${made.id}`);
  await caller.ok(tier, "POST", `${path}/tiers/${made.id}/unarchive`);

  const entries = await auditOf(service, made.id);

  const key = { actor_kind: "key", actor_id: publisher.key.id, actor_name: "Integration" };
  const ada = { actor_kind: "person", actor_name: publisher.person.name };
  expect(entries).toMatchObject([
    { ...key, action: "tier.create", resource_kind: "tier", before: null, after: made },
    { ...key, action: "tier.update", before: { name: "Gold" }, after: { name: "Silver" } },
    { ...ada, action: "tier.archive", before: { isActive: true }, after: { isActive: false } },
    { ...key, action: "tier.unarchive", before: { isActive: false }, after: { isActive: true } },
  ]);
  expect(entries[1]?.after).toEqual({ name: "Silver" });
});
