import type { ReconciliationReport, RepairKind } from "#libs/database/json-columns.ts";
import { PaymentsError } from "#libs/payments/index.ts";

/** The ids of a kind that a report names; the others are only counted. */
const MAX_NAMED = 100;

/** Collects the findings of a comparison. */
export class Findings {
  /** The numbers of objects that were compared. */
  readonly compared = { accounts: 0, subscriptions: 0, checkouts: 0 };
  /** The ids of the objects that were repaired. */
  readonly repaired: Readonly<Record<RepairKind, string[]>> = {
    subscription: [],
    checkout: [],
    invoice: [],
    charge: [],
    tier: [],
  };
  /** The ids of the subscriptions that the processor leaves unpaid after its last attempt. */
  readonly leftUnpaid: string[] = [];
  readonly #failed: string[] = [];
  #canRetry = false;

  /** Whether another comparison soon may succeed where this one failed. */
  get canRetry(): boolean {
    return this.#canRetry;
  }

  /** Compares the object with that id. Records a failure of the payment processor; throws any other error. */
  async attempt(id: string, compare: () => Promise<void>): Promise<void> {
    try {
      await compare();
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      this.#failed.push(id);
      this.#canRetry ||= error.canRetry;
    }
  }

  /** Records an object that no comparison can repair. */
  fail(id: string): void {
    this.#failed.push(id);
  }

  report(): ReconciliationReport {
    const named = (ids: readonly string[]) => ({ count: ids.length, ids: ids.slice(0, MAX_NAMED) });
    const { subscription, checkout, invoice, charge, tier } = this.repaired;
    return {
      ...this.compared,
      repaired: {
        subscription: named(subscription),
        checkout: named(checkout),
        invoice: named(invoice),
        charge: named(charge),
        tier: named(tier),
      },
      failed: named(this.#failed),
      leftUnpaid: named(this.leftUnpaid),
    };
  }
}
