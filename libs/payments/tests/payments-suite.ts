import { afterAll, beforeAll, describe } from "vitest";
import { describeAccounts } from "./accounts-suite.ts";
import { describeChanges } from "./changes-suite.ts";
import { describeCharges } from "./charges-suite.ts";
import { describeCheckouts } from "./checkouts-suite.ts";
import { describeMoney } from "./money-suite.ts";
import { describePrices } from "./prices-suite.ts";
import { describeRefunds } from "./refunds-suite.ts";
import type { ProcessorUnderTest } from "./sales.ts";
import { describeStops } from "./stops-suite.ts";
import { describeSubscriptions } from "./subscriptions-suite.ts";

/** The adapter's behaviour with any server that speaks Stripe's API and keeps state. */
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
    describeStops(processor);
    describeCharges(processor);
    describeChanges(processor);
    describeMoney(processor);
    describeRefunds(processor);
    describeAccounts(processor);
  });
}
