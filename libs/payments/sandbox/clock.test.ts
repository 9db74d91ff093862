import fc from "fast-check";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { CARDS, cardEnding } from "./cards.ts";
import { payCheckout } from "./checkout-life.ts";
import { applyPromotion } from "./checkout-promotion.ts";
import { type Clock, createClock } from "./clock.ts";
import { newCheckout } from "./new-checkout.ts";
import { newPrice, newProduct } from "./new-products.ts";
import type { StripeInterval } from "./period-end.ts";
import { addStandingCodes } from "./promotion-codes.ts";
import type { RecordKind } from "./records.ts";
import { type AfterRetries, openState, type State } from "./state.ts";
import { changeSubscription } from "./subscription-life.ts";
import { createWorld, type World } from "./world.ts";

const DAY = 86_400;
const START = Date.parse("2026-01-31T09:30:00Z") / 1000;
const KINDS: readonly RecordKind[] = [
  "checkout",
  "customer",
  "subscription",
  "invoice",
  "invoicePayment",
  "paymentIntent",
  "charge",
  "discount",
  "promotionCode",
  "reminder",
];

interface Sale {
  readonly interval: StripeInterval;
  readonly count: number;
  readonly amount: number;
  readonly card: string;
  readonly trialDays: number;
  readonly code: string;
  /** What becomes of it between the two phases. */
  readonly later: "nothing" | "cancel" | "pause" | "another card";
}

interface Sandbox {
  readonly state: State;
  readonly world: World;
  readonly clock: Clock;
  readonly told: string[];
}

const open: State[] = [];

afterEach(() => {
  for (const state of open.splice(0)) state.close();
});

function openSandbox(afterRetries: AfterRetries = "cancel", mostRounds = 50): Sandbox {
  const state = openState(":memory:");
  open.push(state);
  state.setAfterRetries(afterRetries);
  const world = createWorld({
    state,
    publicUrl: new URL("http://127.0.0.1/"),
    apiVersion: "version",
    logger: pino({ level: "silent" }),
    onEvents: () => undefined,
    machineTime: () => START,
  });
  addStandingCodes(world.records, world.now());
  const told: string[] = [];
  world.onEvent(({ type, about, created }) => void told.push(`${created} ${type} ${about}`));
  return { state, world, clock: createClock(world, mostRounds), told };
}

function sell({ world }: Sandbox, sale: Sale): void {
  const product = newProduct({ id: undefined, name: "Front page", description: undefined }, {}, world.now());
  const { interval, count: intervalCount, amount: unitAmount } = sale;
  const terms = { product: product.id, unitAmount, currency: "eur", interval, intervalCount };
  const price = newPrice({ ...terms, lookupKey: null }, {}, world.now());
  world.records.save("product", product);
  world.records.save("price", price);
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
      trialDays: sale.trialDays,
      withoutCard: "create_invoice",
      feePercent: null,
      metadata: {},
      subscriptionMetadata: {},
    },
    world.publicUrl,
    world.now(),
  );
  const card = cardEnding(sale.card);
  if (card === undefined) throw new Error(`There is no card ${sale.card}.`);
  const discounted = applyPromotion(world, checkout, sale.code);
  payCheckout(world, discounted, { email: "ads@harbour.example", name: null, card });
}

/** Does to each subscription, oldest first, what its sale says. */
function change({ world }: Sandbox, sales: readonly Sale[]): void {
  const subscriptions = world.records.list("subscription").reverse();
  const methods = world.records.list("paymentMethod");
  for (const [index, subscription] of subscriptions.entries()) {
    const later = sales[index]?.later;
    if (subscription.ended_at !== null) continue;
    if (later === "cancel") changeSubscription(world, subscription, { cancel_at_period_end: true });
    if (later === "pause") {
      const pause_collection = { behavior: "void" as const, resumes_at: world.now() + 40 * DAY };
      changeSubscription(world, subscription, { pause_collection });
    }
    if (later === "another card") {
      const good = methods.find(({ card }) => card?.last4 === "4242")?.id ?? null;
      changeSubscription(world, subscription, { default_payment_method: good });
    }
  }
}

/** Steps until the clock has gone so far, however little it does at once. */
async function goOn({ clock, world }: Sandbox, seconds: number): Promise<void> {
  const end = world.now() + seconds;
  while (world.now() < end) await clock.advance(end - world.now());
}

/** All that the sandbox knows and has told, with ids by their order of appearance. */
function snapshot({ world, told }: Sandbox): string {
  const records = KINDS.map((kind) => world.records.list(kind));
  const names = new Map<string, string>();
  return JSON.stringify([world.now(), records, told], null, 1).replaceAll(
    /\b(?:cs_test|cus|di|il|in|inpay|ch|pi|pm|price|prod|promo|si|sub)_[0-9A-Za-z]{14,58}|[0-9A-Z]{8}(?=(?:-\d{4})?")/g,
    (id) => {
      const name = names.get(id) ?? `#${names.size}`;
      names.set(id, name);
      return name;
    },
  );
}

const aSale = fc.record<Sale>({
  interval: fc.constantFrom("day", "week", "month", "year"),
  count: fc.integer({ min: 1, max: 3 }),
  amount: fc.constantFrom(0, 1, 999, 4900),
  card: fc.constantFrom(...CARDS.filter(({ inPerson }) => inPerson !== "declined").map(({ last4 }) => last4)),
  trialDays: fc.constantFrom(0, 0, 2, 14),
  code: fc.constantFrom("", "WELCOME20", "FIRSTFREE", "QUARTER25", "FOREVER10", "FIVEOFF"),
  later: fc.constantFrom("nothing", "cancel", "pause", "another card"),
});

it("brings about the same in one step as in many", async () => {
  const steps = fc.array(fc.integer({ min: 1, max: 30 * DAY }), { minLength: 1, maxLength: 8 });
  const ends = fc.constantFrom<AfterRetries>("cancel", "unpaid", "past_due");
  await fc.assert(
    fc.asyncProperty(
      fc.array(aSale, { minLength: 1, maxLength: 3 }),
      steps,
      steps,
      ends,
      async (sales, first, second, end) => {
        const [once, often] = [openSandbox(end), openSandbox(end)];
        for (const sandbox of [once, often]) for (const sale of sales) sell(sandbox, sale);

        for (const phase of [first, second]) {
          await goOn(
            once,
            phase.reduce((sum, seconds) => sum + seconds),
          );
          for (const seconds of phase) await goOn(often, seconds);
          for (const sandbox of [once, often]) change(sandbox, sales);
        }

        expect(snapshot(often)).toBe(snapshot(once));
      },
    ),
    { numRuns: 25 },
  );
});

const DAILY: Sale = {
  interval: "day",
  count: 1,
  amount: 100,
  card: "4242",
  trialDays: 0,
  code: "",
  later: "nothing",
};

it("stops where there is too much to do at once, and goes on from there to the same end", async () => {
  const whole = openSandbox("cancel", 2);
  const halved = openSandbox("cancel", 50);
  for (const sandbox of [whole, halved]) for (let each = 0; each < 3; each++) sell(sandbox, DAILY);

  const first = await whole.clock.advance(40 * DAY);
  await goOn(whole, START + 40 * DAY - first.now);
  for (const days of [20, 20]) await goOn(halved, days * DAY);

  expect(first.arrived).toBe(false);
  expect(first.now).toBeGreaterThan(START + 10 * DAY);
  expect(first.now).toBeLessThan(START + 40 * DAY);
  expect(snapshot(whole)).toBe(snapshot(halved));
});

it("makes steps that are asked for at the same time one after the other", async () => {
  const { clock, world } = openSandbox();

  const steps = await Promise.all([1, 2, 3].map((days) => clock.advance(days * DAY)));

  expect(steps.map(({ now }) => now - START)).toEqual([DAY, 3 * DAY, 6 * DAY]);
  expect(world.now()).toBe(START + 6 * DAY);
});

it.each([0, -1, 0.5, Number.NaN, 1097 * DAY])("does not go on by %d seconds", async (seconds) => {
  const { clock, world } = openSandbox();

  await expect(clock.advance(seconds)).rejects.toThrow(ApiError);

  expect(world.now()).toBe(START);
});
