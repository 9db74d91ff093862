import fc from "fast-check";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { newCheckout } from "./api/hosted-sessions.ts";
import { ApiError } from "./engine/api-error.ts";
import { CARDS, cardEnding } from "./engine/cards.ts";
import { applyPromotion, payCheckout } from "./engine/checkouts.ts";
import { type Clock, createClock } from "./engine/clock.ts";
import { createEngine, type Engine } from "./engine/engine.ts";
import { newStripeId } from "./engine/ids.ts";
import { addBuiltInCodes } from "./engine/promotions.ts";
import type { RecordKind } from "./engine/record-kinds.ts";
import type { Price } from "./engine/records.ts";
import { type AfterRetries, openState, type State } from "./engine/state.ts";
import { changeSubscription } from "./engine/subscriptions.ts";

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
  readonly interval: Price["recurring"]["interval"];
  readonly count: number;
  readonly amount: number;
  readonly card: string;
  readonly trialDays: number;
  readonly code: string;
  /** The change to it between the two phases. */
  readonly later: "nothing" | "cancel" | "pause" | "another card";
}

interface Sandbox {
  readonly state: State;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Those of the clock itself left out. */
  readonly events: string[];
  /** For each event of the clock, how many others there were before. */
  readonly moves: number[];
}

function openSandbox(afterRetries: AfterRetries = "cancel", mostRounds = 50): Sandbox {
  const state = openState(":memory:");
  onTestFinished(() => state.close());
  state.setAfterRetries(afterRetries);
  const engine = createEngine({
    state,
    publicUrl: new URL("http://127.0.0.1/"),
    apiVersion: "version",
    logger: pino({ level: "silent" }),
    onEvents: () => undefined,
    machineTime: () => START,
  });
  addBuiltInCodes(engine.records, engine.now());
  const events: string[] = [];
  const moves: number[] = [];
  engine.onEvent(({ type, about, created }) => {
    if (type === "test_helpers.test_clock.ready") moves.push(events.length);
    else events.push(`${created} ${type} ${about}`);
  });
  return { state, engine, clock: createClock(engine, mostRounds), events, moves };
}

function sell({ engine }: Sandbox, sale: Sale): void {
  const price: Price = {
    id: newStripeId("price"),
    object: "price",
    active: true,
    created: engine.now(),
    currency: "eur",
    lookup_key: null,
    metadata: {},
    product: "prod_1",
    recurring: { interval: sale.interval, interval_count: sale.count },
    unit_amount: sale.amount,
  };
  engine.records.save("price", price);
  const checkout = newCheckout(engine, price, {
    mode: "subscription",
    success_url: "http://127.0.0.1/",
    allow_promotion_codes: true,
    payment_method_collection: "always",
    metadata: {},
    subscription_data: {
      metadata: {},
      ...(sale.trialDays === 0 ? {} : { trial_period_days: sale.trialDays }),
    },
  });
  const card = cardEnding(sale.card);
  if (card === undefined) throw new Error(`There is no card ${sale.card}.`);
  const discounted = applyPromotion(engine, checkout, sale.code);
  payCheckout(engine, discounted, { email: "ads@harbour.example", name: null, card });
}

/** Does to each subscription, oldest first, what its sale says. */
function change({ engine }: Sandbox, sales: readonly Sale[]): void {
  const subscriptions = engine.records.list("subscription").reverse();
  const methods = engine.records.list("paymentMethod");
  for (const [index, subscription] of subscriptions.entries()) {
    const later = sales[index]?.later;
    if (subscription.ended_at !== null) continue;
    if (later === "cancel") changeSubscription(engine, subscription, { cancel_at_period_end: true });
    if (later === "pause") {
      const pause_collection = { behavior: "void" as const, resumes_at: engine.now() + 40 * DAY };
      changeSubscription(engine, subscription, { pause_collection });
    }
    if (later === "another card") {
      const good = methods.find(({ card }) => card?.last4 === "4242")?.id ?? null;
      changeSubscription(engine, subscription, { default_payment_method: good });
    }
  }
}

/** Steps until the clock has advanced by that, however little it does at once. */
async function advanceBy({ clock, engine }: Sandbox, seconds: number): Promise<void> {
  const end = engine.now() + seconds;
  while (engine.now() < end) await clock.advance(end - engine.now());
}

/** All records and events of the sandbox, with ids by their order of appearance. */
function snapshot({ engine, events }: Sandbox): string {
  const records = KINDS.map((kind) => engine.records.list(kind));
  const names = new Map<string, string>();
  return JSON.stringify([engine.now(), records, events], null, 1).replaceAll(
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
  card: fc.constantFrom(
    ...CARDS.filter(({ onSession }) => onSession !== "declined").map(({ last4 }) => last4),
  ),
  trialDays: fc.constantFrom(0, 0, 2, 14),
  code: fc.constantFrom("", "WELCOME20", "FIRSTFREE", "QUARTER25", "FOREVER10", "FIVEOFF"),
  later: fc.constantFrom("nothing", "cancel", "pause", "another card"),
});

it("comes to the same in one step as in many", async () => {
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
          await advanceBy(
            once,
            phase.reduce((sum, seconds) => sum + seconds),
          );
          for (const seconds of phase) await advanceBy(often, seconds);
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

it("stops where there is too much to do at once, and continues from there to the same end", async () => {
  const whole = openSandbox("cancel", 2);
  const halved = openSandbox("cancel", 50);
  for (const sandbox of [whole, halved]) for (let each = 0; each < 3; each++) sell(sandbox, DAILY);

  const first = await whole.clock.advance(40 * DAY);
  await advanceBy(whole, START + 40 * DAY - first.now);
  for (const days of [20, 20]) await advanceBy(halved, days * DAY);

  expect(first.arrived).toBe(false);
  expect(first.now).toBeGreaterThan(START + 10 * DAY);
  expect(first.now).toBeLessThan(START + 40 * DAY);
  expect(snapshot(whole)).toBe(snapshot(halved));
});

it("announces each move once, after all that it brought, and does not count that among it", async () => {
  const { clock, events, moves, ...sandbox } = openSandbox();
  sell({ ...sandbox, clock, events, moves }, DAILY);

  const first = await clock.advance(3 * DAY);
  const afterFirst = events.length;
  await clock.advance(DAY / 24);

  expect(moves).toEqual([afterFirst, events.length]);
  expect(Object.keys(first.counts)).not.toContain("test_helpers.test_clock.ready");
});

it("makes steps that are asked for at the same time one after the other", async () => {
  const { clock, engine } = openSandbox();

  const steps = await Promise.all([1, 2, 3].map((days) => clock.advance(days * DAY)));

  expect(steps.map(({ now }) => now - START)).toEqual([DAY, 3 * DAY, 6 * DAY]);
  expect(engine.now()).toBe(START + 6 * DAY);
});

it.each([0, -1, 0.5, Number.NaN, 1097 * DAY])("does not advance by %d seconds", async (seconds) => {
  const { clock, engine } = openSandbox();

  await expect(clock.advance(seconds)).rejects.toThrow(ApiError);

  expect(engine.now()).toBe(START);
});
