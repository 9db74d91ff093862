import type { Stripe } from "stripe";
import { afterAll, beforeAll, describe } from "vitest";
import type { Payments } from "./index.ts";
import { describeAccounts } from "./tests/accounts-suite.ts";
import { describeCheckouts } from "./tests/checkouts-suite.ts";
import { describeMoney } from "./tests/money-suite.ts";
import { describePrices } from "./tests/prices-suite.ts";
import type { Payer } from "./tests/running-sandbox.ts";
import { describeSubscriptions } from "./tests/subscriptions-suite.ts";

/** A processor under test, and what the adapter leaves to people. */
export interface ProcessorUnderTest {
  /** With a fee of 2.5 percent on sales in connected accounts. */
  readonly payments: Payments;
  /** The processor's own dashboard, as it were. */
  readonly stripe: Stripe;
  /** Pays on the hosted page. */
  pay(url: string, payer?: Payer): Promise<Response>;
  /** Answers everything that the onboarding page asks. */
  setUp(url: string): Promise<Response>;
  /** Moves the processor's clock on. */
  advance(days: number): Promise<void>;
  close(): Promise<void>;
}

/** What the adapter does with any server that speaks Stripe's API and keeps state. */
export function describePayments(name: string, start: () => Promise<ProcessorUnderTest>): void {
  describe(`payments on ${name}`, () => {
    let running: ProcessorUnderTest | undefined;

    beforeAll(async () => {
      running = await start();
    });

    afterAll(() => running?.close());

    const processor = () => {
      if (running === undefined) throw new Error("The processor did not start.");
      return running;
    };
    describePrices(processor);
    describeCheckouts(processor);
    describeSubscriptions(processor);
    describeMoney(processor);
    describeAccounts(processor);
  });
}
