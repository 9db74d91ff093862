import { expect, it, vi } from "vitest";
import { z } from "zod";
import { tier as tierShape } from "#libs/contract/tiers.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier, type Publisher } from "../../tests/story.ts";
import { closeOpenCheckouts } from "./close-checkouts.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { processor, services } = service;
const { pool } = service.database;
const anybody = new ApiCaller(service.origin);
const opened = z.object({ url: z.string(), sessionId: z.string() });

async function open({ path }: Publisher, tierPriceId: string | undefined): Promise<string> {
  const { sessionId } = await anybody.ok(opened, "POST", `${path}/checkout-sessions`, { tierPriceId });
  return sessionId;
}

/** A second price of a tier. */
async function aPrice({ caller, path }: Publisher, tierId: string) {
  const price = { amount: 100, interval: "Year", currency: "usd", intervalCount: 1 };
  const { prices } = await caller.ok(tierShape, "POST", `${path}/tiers/${tierId}/prices`, price);
  return prices.at(-1) ?? { id: "" };
}

async function suspend({ workspace: { id } }: Publisher): Promise<void> {
  await pool.query("update workspaces set suspended_at = now() where id = $1", [id]);
}

/** The statuses of a workspace's sessions at the processor. */
async function statuses(ids: readonly string[]): Promise<(string | null)[]> {
  return await Promise.all(
    ids.map(async (id) => (await processor.stripe.checkout.sessions.retrieve(id)).status),
  );
}

it("ends the other checkouts although the processor refuses one, and fails so that the job is retried", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push(await open(publisher, prices[0]?.id));
  const [refused = "", ...others] = ids.toSorted();
  await suspend(publisher);
  const { payments } = services;
  const refusing: typeof payments = {
    ...payments,
    expireCheckoutSession: async (id, account) => {
      if (id === refused) throw new PaymentsError("PROCESSOR_FAILED", "Refused.", false, true);
      return await payments.expireCheckoutSession(id, account);
    },
  };

  const closing = closeOpenCheckouts(
    { ...services, payments: refusing },
    { workspaceId: publisher.workspace.id },
  );

  await expect(closing).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
  expect(await statuses(others)).toEqual(["expired", "expired"]);
});

it("ends the open checkouts of an archived price and of an archived tier, and no others", async () => {
  const publisher = await aPublisher(service);
  const tier = await aTier(publisher);
  const { id: yearly = "" } = await aPrice(publisher, tier.id);
  const other = await aTier(publisher);
  const kept = await open(publisher, tier.prices[0]?.id);
  const ofPrice = await open(publisher, yearly);
  const ofTier = await open(publisher, other.prices[0]?.id);

  await publisher.caller.request("DELETE", `${publisher.path}/tiers/${tier.id}/prices/${yearly}`);
  await publisher.caller.request("DELETE", `${publisher.path}/tiers/${other.id}`);

  await vi.waitFor(async () => expect(await statuses([ofPrice, ofTier])).toEqual(["expired", "expired"]), {
    timeout: 20_000,
    interval: 50,
  });
  expect(await statuses([kept])).toEqual(["open"]);
});

it("ends a checkout whose price is archived while the processor opens it", async () => {
  const publisher = await aPublisher(service);
  const tier = await aTier(publisher);
  // The processor knows the price, so that the next call opens the checkout.
  await open(publisher, tier.prices[0]?.id);
  const answer = processor.holdNextAnswer();
  const opening = anybody.request("POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: tier.prices[0]?.id,
  });
  await answer.given;
  await pool.query("update prices set is_active = false where tier_id = $1", [tier.id]);
  answer.release();

  expect((await opening).status).toBe(409);
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query(
        "select id from checkout_sessions where workspace_id = $1 and status = 'open'",
        [publisher.workspace.id],
      );
      expect(rows).toEqual([]);
    },
    { timeout: 20_000, interval: 50 },
  );
});

it("stops at the first checkout while the processor is unavailable, and ends all once it is back", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const ids = [];
  for (let count = 0; count < 2; count += 1) ids.push(await open(publisher, prices[0]?.id));
  await suspend(publisher);
  const close = () => closeOpenCheckouts(services, { workspaceId: publisher.workspace.id });

  await processor.while("failing", () => expect(close()).rejects.toMatchObject({ canRetry: true }));
  await close();

  expect(await statuses(ids)).toEqual(["expired", "expired"]);
});
