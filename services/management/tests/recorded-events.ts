import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import type { ManagementUnderTest } from "./management.ts";
import type { Publisher } from "./story.ts";
import { aPaidCheckout, aTier } from "./story.ts";

/** An event as the processor sent it. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string } };
}

/** Receives in the service's place what the sandbox sends, in order, and keeps it until the test has finished. */
export async function recordEvents(service: Pick<ManagementUnderTest, "deliverWebhooksTo">) {
  const events: RecordedEvent[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      events.push(JSON.parse(body));
      response.end();
    });
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  service.deliverWebhooksTo(`http://127.0.0.1:${port}/`);
  return events;
}

/** A stream of numbers from 0 to 1 that is the same in every run. */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Sells that many subscriptions in one tier and has each live through what the numbers decide; `afterEach` is called after
 * every one. Some checkouts are left to expire.
 */
export async function liveThrough(
  service: ManagementUnderTest,
  publisher: Publisher,
  count: number,
  random: () => number,
  afterEach: () => void = () => undefined,
): Promise<void> {
  const { stripe } = service.processor;
  const { prices } = await aTier(publisher);
  for (let n = 0; n < count; n += 1) {
    const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
    const { subscription } = await stripe.checkout.sessions.retrieve(checkout.sessionId);
    await liveOne(service, String(subscription), random);
    if (random() < 0.2) await abandonCheckout(service, publisher, prices[0]?.id ?? "");
    afterEach();
  }
}

async function liveOne(service: ManagementUnderTest, id: string, random: () => number) {
  const { stripe } = service.processor;
  const changes = Math.floor(random() * 5);
  if (random() < 0.4) await giveBack(service, id, random);
  for (let n = 0; n < changes; n += 1) {
    const choice = random();
    if (choice < 0.1) await startIfWaiting(stripe, id);
    else if (choice < 0.3) await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
    else if (choice < 0.6) await stripe.subscriptions.update(id, { pause_collection: "" });
    else if (choice < 0.85) {
      await stripe.subscriptions.update(id, {
        cancel_at_period_end: choice < 0.75,
        cancellation_details: { feedback: "too_expensive", comment: `After ${n + 1} changes` },
      });
    } else {
      await stripe.subscriptions.cancel(id);
      return;
    }
  }
}

/** Refunds parts of what was paid for a subscription, and some of the rest is disputed at the bank, which decides about some. */
async function giveBack(
  { origin, processor, services }: ManagementUnderTest,
  id: string,
  random: () => number,
) {
  const { latest_invoice: invoice } = await processor.stripe.subscriptions.retrieve(id);
  const charge = await services.payments.readChargeOfInvoice(String(invoice), null);
  if (charge === null) return;
  for (let left = charge.amount; left > 0 && random() < 0.7; ) {
    const amount = Math.min(left, 1 + Math.floor(random() * charge.amount));
    await processor.stripe.refunds.create({ charge: charge.id, amount });
    left -= amount;
  }
  if (random() < 0.7) {
    // Refused where nothing is left.
    await fetch(`${origin}/sandbox/charges/${charge.id}/dispute`, { method: "POST" });
    const decision = random();
    const [dispute] = (await processor.stripe.disputes.list({ charge: charge.id })).data;
    if (dispute === undefined || decision < 0.3) return;
    await fetch(`${origin}/sandbox/disputes/${dispute.id}/close`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ outcome: decision < 0.65 ? "won" : "lost" }),
    });
  }
}

/** As an approval does for a purchase that is charged then. */
async function startIfWaiting(stripe: ManagementUnderTest["processor"]["stripe"], id: string): Promise<void> {
  const { metadata } = await stripe.subscriptions.retrieve(id);
  if (metadata.chargeAt !== "approval") return;
  await stripe.subscriptions.update(id, { trial_end: "now", metadata: { awaitsApproval: "" } });
}

async function abandonCheckout(
  { processor: { stripe } }: ManagementUnderTest,
  { caller, path }: Publisher,
  tierPriceId: string,
) {
  const { text: answer } = await caller.request("POST", `${path}/checkout-sessions`, { tierPriceId });
  await stripe.checkout.sessions.expire(JSON.parse(answer).sessionId);
}

/** Resolves when all events up to now have arrived: they come in order, so one more is caused and awaited. */
export async function allRecorded(
  { processor: { stripe } }: ManagementUnderTest,
  events: readonly RecordedEvent[],
): Promise<void> {
  const [price] = (await stripe.prices.list({ limit: 1 })).data;
  const { id } = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: price?.id ?? "", quantity: 1 }],
    success_url: "https://elsewhere.example",
  });
  await stripe.checkout.sessions.expire(id);
  await vi.waitFor(
    () => {
      if (!events.some(({ data }) => data.object.id === id)) throw new Error("events are still on their way");
    },
    { timeout: 20_000, interval: 20 },
  );
}
