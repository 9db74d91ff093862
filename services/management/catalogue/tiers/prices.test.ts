import { expect, it, vi } from "vitest";
import { tier } from "#libs/contract/tiers.ts";
import { newId } from "#libs/domain/ids.ts";
import { auditOf, versionOf } from "../../tests/catalogue-facts.ts";
import { startManagement } from "../../tests/management.ts";
import { aMember, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const yearly = { amount: 49_000, intervalCount: 1, currency: "usd", interval: "Year" };

/** A tier with its first price, and where that tier's prices are. */
async function aTierWithPrices() {
  const made = await aTier(publisher);
  return { ...made, priceId: made.prices[0]?.id ?? "", at: `${path}/tiers/${made.id}/prices` };
}

async function servedPrices(tierId: string) {
  const snapshot = await service.placements.read(publisher.workspace.id);
  return snapshot?.tiers.find(({ id }) => id === tierId)?.prices.map(({ id }) => id) ?? [];
}

it("adds a price after those there are, by the month where nothing else is said", async () => {
  const made = await aTierWithPrices();

  const two = await caller.ok(tier, "POST", made.at, yearly);
  const three = await caller.ok(tier, "POST", made.at, { amount: 0, intervalCount: 2, currency: "jpy" });

  expect(two.prices).toEqual([...made.prices, { ...yearly, id: expect.any(String), isActive: true }]);
  expect(three.prices).toEqual([
    ...two.prices,
    {
      id: expect.any(String),
      isActive: true,
      amount: 0,
      intervalCount: 2,
      currency: "jpy",
      interval: "Month",
    },
  ]);
  await vi.waitFor(
    async () => expect(await servedPrices(made.id)).toEqual(three.prices.map(({ id }) => id)),
    20_000,
  );
});

it("takes many currencies, those without a smaller unit included", async () => {
  const made = await aTierWithPrices();

  for (const currency of ["jpy", "krw", "clp", "kwd", "eur", "chf"]) {
    await caller.ok(tier, "POST", made.at, { ...yearly, currency, amount: 99_999_900 });
  }

  const { prices } = await caller.ok(tier, "GET", `${path}/tiers/${made.id}`);
  expect(prices.slice(1).map(({ currency }) => currency)).toEqual(["jpy", "krw", "clp", "kwd", "eur", "chf"]);
  expect(prices.slice(1).every(({ amount }) => amount === 99_999_900)).toBe(true);
});

it.each([
  ["usd", 49, "at least 50 in usd"],
  ["jpy", 1, "at least 50 in jpy"],
  ["kwd", 4901, "a multiple of 10 in kwd"],
  ["ugx", 12_345, "a multiple of 100 in ugx"],
  ["isk", 12_345, "a multiple of 100 in isk"],
])(
  "answers 422 at amount for one in %s that the payment processor refuses: %i",
  async (currency, amount, said) => {
    const made = await aTierWithPrices();

    const { data } = await caller.refused(422, "POST", made.at, { ...yearly, currency, amount });

    expect(data?.fieldErrors).toEqual({ amount: [expect.stringContaining(said)] });
  },
);

it("answers 409 at interval for a second active price of one shape, whatever its amount", async () => {
  const made = await aTierWithPrices();

  const { data, code } = await caller.refused(409, "POST", made.at, {
    amount: 100,
    intervalCount: 1,
    currency: "usd",
  });

  expect(code).toBe("CONFLICT_FIELD");
  expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["interval"]);
  const { id: _, priceId: __, at: ___, ...before } = made;
  expect(await caller.ok(tier, "GET", `${path}/tiers/${made.id}`)).toMatchObject(before);
});

it("archives a price, which frees its shape, and refuses to bring it back while that is taken", async () => {
  const made = await aTierWithPrices();
  const one = `${made.at}/${made.priceId}`;

  const archived = await caller.ok(tier, "DELETE", one);
  const replaced = await caller.ok(tier, "POST", made.at, {
    amount: 5900,
    intervalCount: 1,
    currency: "usd",
  });
  const { data } = await caller.refused(409, "POST", `${one}/unarchive`);
  await caller.ok(tier, "DELETE", `${made.at}/${replaced.prices[1]?.id}`);
  const restored = await caller.ok(tier, "POST", `${one}/unarchive`);

  expect(archived.prices).toEqual([{ ...made.prices[0], isActive: false }]);
  expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["interval"]);
  expect(restored.prices.map(({ isActive }) => isActive)).toEqual([true, false]);
  await vi.waitFor(async () => expect(await servedPrices(made.id)).toEqual([made.priceId]), 20_000);
});

it("returns the unchanged tier when a price is archived or unarchived twice", async () => {
  const made = await aTierWithPrices();
  const one = `${made.at}/${made.priceId}`;

  const still = await caller.ok(tier, "POST", `${one}/unarchive`);
  const archived = await caller.ok(tier, "DELETE", one);
  const version = await versionOf(service, publisher);
  const again = await caller.ok(tier, "DELETE", one);

  expect(still.prices).toEqual(made.prices);
  expect(again).toEqual(archived);
  expect(await versionOf(service, publisher)).toBe(version);
  expect((await auditOf(service, made.priceId)).map(({ action }) => action)).toEqual(["price.archive"]);
});

it("lets one of many racing prices of one shape win and answers the others with 409", async () => {
  const made = await aTierWithPrices();

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => caller.request("POST", made.at, { ...yearly, amount: n * 100 })),
  );

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
});

it("answers 409 where another process takes the shape in the same moment", async () => {
  const made = await aTierWithPrices();
  // A program that does not wait for ours: it holds the shape, not yet committed, while the request comes in.
  const other = await service.database.pool.connect();
  await other.query("begin");
  await other.query(
    `insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency)
     values ($1, $2, $3, 'Year', 1, 1, 'usd')`,
    [newId("price"), publisher.workspace.id, made.id],
  );

  const answer = caller.request("POST", made.at, yearly);
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(1);
  }, 20_000);
  await other.query("commit");
  other.release();

  expect((await answer).status).toBe(409);
});

it("ends the sale of an archived price and of every price of an archived tier, with 409 at checkout", async () => {
  const made = await aTierWithPrices();
  const body = { tierPriceId: made.priceId };
  await aPaidCheckout(service, publisher, made.priceId);

  await caller.ok(tier, "DELETE", `${made.at}/${made.priceId}`);
  await caller.refused(409, "POST", `${path}/checkout-sessions`, body);
  await caller.ok(tier, "POST", `${made.at}/${made.priceId}/unarchive`);
  await caller.ok(tier, "DELETE", `${path}/tiers/${made.id}`);
  const { data } = await caller.refused(409, "POST", `${path}/checkout-sessions`, body);

  expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["tierPriceId"]);
});

it("answers 404 for an id that is not one of the tier's prices, 403 for a key of another workspace and for a Viewer", async () => {
  const made = await aTierWithPrices();
  const sibling = await aTierWithPrices();
  const neighbour = await aPublisher(service, "Another Weekly");
  const { caller: viewer } = await aMember(service, publisher, "Viewer");

  for (const [method, suffix] of [
    ["DELETE", ""],
    ["POST", "/unarchive"],
  ] as const) {
    for (const id of [newId("price"), "price_1", "%00", made.id, sibling.priceId]) {
      const { message } = await caller.refused(404, method, `${made.at}/${id}${suffix}`);
      expect(message).toBe("Price not found.");
    }
    const elsewhere = `${path}/tiers/${newId("tier")}/prices/${made.priceId}${suffix}`;
    expect((await caller.refused(404, method, elsewhere)).message).toBe("Tier not found.");
    const theirs = `${neighbour.path}/tiers/${made.id}/prices/${made.priceId}${suffix}`;
    await neighbour.caller.refused(404, method, theirs);
    await neighbour.caller.refused(403, method, `${made.at}/${made.priceId}${suffix}`);
    await viewer.refused(403, method, `${made.at}/${made.priceId}${suffix}`);
  }
  await neighbour.caller.refused(404, "POST", `${neighbour.path}/tiers/${made.id}/prices`, yearly);
  await viewer.refused(403, "POST", made.at, yearly);

  expect((await caller.ok(tier, "GET", `${path}/tiers/${made.id}`)).prices).toEqual(made.prices);
});

it("records who added and archived which price", async () => {
  const made = await aTierWithPrices();
  const { prices } = await caller.ok(tier, "POST", made.at, yearly);
  const added = prices[1];
  await caller.ok(tier, "DELETE", `${made.at}/${added?.id}`);
  await caller.ok(tier, "POST", `${made.at}/${added?.id}/unarchive`);

  expect(await auditOf(service, added?.id ?? "")).toMatchObject([
    { action: "price.create", resource_kind: "price", before: null, after: { ...added, tierId: made.id } },
    { action: "price.archive", before: { isActive: true }, after: { isActive: false } },
    { action: "price.unarchive", before: { isActive: false }, after: { isActive: true } },
  ]);
});
