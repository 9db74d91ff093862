import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { completeCheckout } from "./lifecycle.ts";
import { newCheckout } from "./new-checkout.ts";
import { newPrice } from "./new-products.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import type { Checkout, Subscription } from "./records.ts";
import { openState, type State } from "./state.ts";
import { createWorld, type World } from "./world.ts";

const DAY = 86_400;
let folder: string;
let state: State;
let world: World;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-time-"));
  state = openState(join(folder, "payments.db"));
  const logger = pino({ level: "silent" });
  world = createWorld(state, new URL("http://127.0.0.1/"), "version", () => undefined, logger);
});

afterEach(async () => {
  state.close();
  await rm(folder, { recursive: true });
});

function openCheckout(trialDays = 0): Checkout {
  const terms = { product: "tier_1", unitAmount: 900, currency: "eur", lookupKey: null };
  const price = newPrice({ ...terms, interval: "day", intervalCount: 10 }, {}, world.now());
  state.save("price", price);
  const checkout = newCheckout(
    {
      price,
      successUrl: "http://127.0.0.1/",
      cancelUrl: null,
      email: null,
      clientReferenceId: null,
      allowPromotionCodes: true,
      paymentMethodCollection: "always",
      expiresAt: world.now() + DAY,
      trialDays,
      metadata: {},
      subscriptionMetadata: {},
    },
    world.publicUrl,
    world.now(),
  );
  state.save("checkout", checkout);
  return checkout;
}

function subscribe(trialDays = 0): Subscription {
  completeCheckout(world, openCheckout(trialDays), { email: "ads@harbour.example", name: null });
  dropEvents();
  return onlySubscription();
}

function onlySubscription(): Subscription {
  const [subscription] = state.list("subscription");
  if (subscription === undefined) throw new Error("There is no subscription.");
  return subscription;
}

function passDays(days: number): void {
  state.setClockOffset(state.clockOffset() + days * DAY);
  settleWhatIsDue(world);
}

function dropEvents(): string[] {
  const types: string[] = [];
  for (let event = state.nextEvent(); event !== undefined; event = state.nextEvent()) {
    types.push(JSON.parse(event.payload).type);
    state.removeEvent(event.sequence);
  }
  return types;
}

it("expires an open session after its day, and only once", () => {
  const { id } = openCheckout();

  passDays(1);
  passDays(1);

  expect(state.find("checkout", id)?.session).toMatchObject({ status: "expired", url: null });
  expect(dropEvents()).toEqual(["checkout.session.expired"]);
});

it("forgets a session a month after it expired, and never one that was paid", () => {
  const { id } = openCheckout();
  subscribe();

  passDays(1);
  passDays(30);

  expect(state.find("checkout", id)).toBeUndefined();
  expect(state.list("checkout")).toHaveLength(1);
});

it("does nothing before it is due", () => {
  const before = subscribe();

  passDays(9);

  expect(onlySubscription()).toEqual(before);
  expect(dropEvents()).toEqual([]);
});

it("renews period after period without a gap, each with an invoice of its own", () => {
  const before = subscribe();

  passDays(25);

  const after = onlySubscription();
  const start = before.items.data[0]?.current_period_start ?? 0;
  expect(after.items.data[0]).toMatchObject({
    current_period_start: start + 20 * DAY,
    current_period_end: start + 30 * DAY,
  });
  const invoices = state.list("invoice").map(({ status, amount_paid }) => [status, amount_paid]);
  expect(invoices).toEqual(Array(3).fill(["paid", 900]));
  const renewal = ["customer.subscription.updated", "invoice.paid"];
  expect(dropEvents()).toEqual([...renewal, ...renewal]);
});

it("ends a trial with the first charge", () => {
  const trial = subscribe(3);

  passDays(3);

  expect(trial).toMatchObject({ status: "trialing", trial_end: trial.created + 3 * DAY });
  expect(onlySubscription()).toMatchObject({ status: "active" });
  expect(onlySubscription().items.data[0]?.current_period_end).toBe(trial.created + 13 * DAY);
  expect(state.list("invoice").map(({ amount_paid }) => amount_paid)).toEqual([900, 0]);
});

it("voids what falls due while the collection is paused", () => {
  const subscription = subscribe();
  state.save("subscription", { ...subscription, pause_collection: { behavior: "void", resumes_at: null } });

  passDays(10);

  expect(state.list("invoice")[0]).toMatchObject({ status: "void", amount_paid: 0 });
  expect(dropEvents()).toEqual(["customer.subscription.updated", "invoice.voided"]);
});

it("ends a subscription with the period after which it is to cancel", () => {
  const subscription = subscribe();
  state.save("subscription", { ...subscription, cancel_at_period_end: true });

  passDays(10);
  passDays(10);

  expect(onlySubscription()).toMatchObject({ status: "canceled", ended_at: expect.any(Number) });
  expect(dropEvents()).toEqual(["customer.subscription.deleted"]);
});
