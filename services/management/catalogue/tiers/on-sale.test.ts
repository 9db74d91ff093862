import { expect, it, vi } from "vitest";
import { tier } from "#libs/contract/tiers.ts";
import { isNotFound } from "#libs/payments/index.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { tellOnSale } from "./on-sale.ts";

/** Tellings wait for each other, and one that is tried again for its turn. */
const IN_TIME = { timeout: 20_000 };

const service = await startManagement({ unlimited: true });
const ports = {
  ...service.services,
  isGone: async (_account: string | null, error: unknown) => isNotFound(error),
};
const { processor } = service;
const publisher = await aPublisher(service);
const { caller, path } = publisher;

/** A tier that has been sold, so that the processor knows it. */
async function aSoldTier() {
  const made = await aTier(publisher);
  await aPaidCheckout(service, publisher, made.prices[0]?.id ?? "");
  const priceId = made.prices[0]?.id ?? "";
  const { provider_price_id: processorPriceId } = await service.database.db
    .selectFrom("prices")
    .where("id", "=", priceId)
    .select("provider_price_id")
    .executeTakeFirstOrThrow();
  return { ...made, at: `${path}/tiers/${made.id}`, priceId, processorPriceId: processorPriceId ?? "" };
}

type SoldTier = Awaited<ReturnType<typeof aSoldTier>>;

async function atProcessor({ id, processorPriceId }: SoldTier) {
  const product = await processor.stripe.products.retrieve(id);
  const price = await processor.stripe.prices.retrieve(processorPriceId);
  return { name: product.name, product: product.active, price: price.active };
}

async function untold({ id }: SoldTier): Promise<number> {
  const { rows } = await service.database.pool.query(
    `select 1 from tiers where id = $1 and is_active <> provider_active
     union all select 1 from prices where tier_id = $1 and is_active <> provider_active`,
    [id],
  );
  return rows.length;
}

it("archives a tier at the processor too, and brings it back", async () => {
  const sold = await aSoldTier();

  await caller.ok(tier, "DELETE", sold.at);
  await vi.waitFor(
    async () => expect(await atProcessor(sold)).toMatchObject({ product: false, price: true }),
    IN_TIME,
  );
  await caller.ok(tier, "POST", `${sold.at}/unarchive`);
  await vi.waitFor(
    async () => expect(await atProcessor(sold)).toMatchObject({ product: true, price: true }),
    IN_TIME,
  );

  await vi.waitFor(async () => expect(await untold(sold)).toBe(0), IN_TIME);
});

it("archives a price at the processor too, and brings it back", async () => {
  const sold = await aSoldTier();

  await caller.ok(tier, "DELETE", `${sold.at}/prices/${sold.priceId}`);
  await vi.waitFor(
    async () => expect(await atProcessor(sold)).toMatchObject({ product: true, price: false }),
    IN_TIME,
  );
  await caller.ok(tier, "POST", `${sold.at}/prices/${sold.priceId}/unarchive`);
  await vi.waitFor(
    async () => expect(await atProcessor(sold)).toMatchObject({ product: true, price: true }),
    IN_TIME,
  );

  await vi.waitFor(async () => expect(await untold(sold)).toBe(0), IN_TIME);
});

it("gives a product the tier's new name, which is what an advertiser is asked to pay for", async () => {
  const sold = await aSoldTier();

  await caller.ok(tier, "PATCH", sold.at, { name: "Above the fold" });

  await vi.waitFor(
    async () => expect(await atProcessor(sold)).toMatchObject({ name: "Above the fold" }),
    IN_TIME,
  );
});

it("tells the processor nothing of a tier that was never sold", async () => {
  const made = await aTier(publisher);

  await caller.ok(tier, "DELETE", `${path}/tiers/${made.id}`);

  const target = { workspaceId: publisher.workspace.id, tierId: made.id };
  expect(await tellOnSale(ports, target)).toBe(false);
  await expect(processor.stripe.products.retrieve(made.id)).rejects.toMatchObject({ statusCode: 404 });
});

it.each(["gone", "failing", "mute"] as const)(
  "archives at once while the processor is %s, and tells it when it is back",
  async (state) => {
    const sold = await aSoldTier();

    await processor.while(state, async () => {
      const archived = await caller.ok(tier, "DELETE", sold.at);
      await caller.ok(tier, "DELETE", `${sold.at}/prices/${sold.priceId}`);
      expect(archived.isActive).toBe(false);
      const target = { workspaceId: publisher.workspace.id, tierId: sold.id };
      await expect(tellOnSale(ports, target)).rejects.toMatchObject({ code: "PROCESSOR_FAILED" });
      expect(await untold(sold)).toBe(2);
    });

    await tellOnSale(ports, { workspaceId: publisher.workspace.id, tierId: sold.id });
    expect(await atProcessor(sold)).toMatchObject({ product: false, price: false });
    expect(await untold(sold)).toBe(0);
  },
);

it("sends the last of many changes in a row", async () => {
  const sold = await aSoldTier();

  for (let round = 0; round < 5; round += 1) {
    await caller.ok(tier, "DELETE", sold.at);
    await caller.ok(tier, "POST", `${sold.at}/unarchive`);
  }
  await caller.ok(tier, "DELETE", sold.at);

  await vi.waitFor(async () => {
    expect(await untold(sold)).toBe(0);
    expect(await atProcessor(sold)).toMatchObject({ product: false });
  }, IN_TIME);
});
