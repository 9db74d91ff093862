import type { ReconciliationReport, RepairKind } from "#libs/database/tables-webhooks.ts";
import { PaymentsError } from "#libs/payments/index.ts";

/** More ids of a kind than that are counted and not named. */
const MOST_NAMED = 100;

/** What a comparison finds while it goes on. */
export class Findings {
  #accounts = 0;
  #subscriptions = 0;
  #checkouts = 0;
  readonly #repaired = new Map<RepairKind, string[]>();
  readonly #failed: string[] = [];
  #canRetry = false;

  countAccount(): void {
    this.#accounts += 1;
  }

  countSubscriptions(seen: number): void {
    this.#subscriptions += seen;
  }

  countCheckout(): void {
    this.#checkouts += 1;
  }

  addRepair(kind: RepairKind, ...ids: string[]): void {
    this.#repaired.set(kind, [...this.repairs(kind), ...ids]);
  }

  repairs(kind: RepairKind): readonly string[] {
    return this.#repaired.get(kind) ?? [];
  }

  /** Whether what failed may be worth another comparison soon. */
  get canRetry(): boolean {
    return this.#canRetry;
  }

  /**
   * Compares one thing, by its id; what the processor fails at is noted and the comparison goes on. Whatever else goes
   * wrong ends it.
   */
  async attempt(id: string, compare: () => Promise<void>): Promise<void> {
    try {
      await compare();
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      this.#failed.push(id);
      this.#canRetry ||= error.canRetry;
    }
  }

  report(): ReconciliationReport {
    const named = (kind: RepairKind) => {
      const ids = this.repairs(kind);
      return { count: ids.length, ids: ids.slice(0, MOST_NAMED) };
    };
    return {
      accounts: this.#accounts,
      subscriptions: this.#subscriptions,
      checkouts: this.#checkouts,
      repaired: {
        subscription: named("subscription"),
        checkout: named("checkout"),
        invoice: named("invoice"),
        tier: named("tier"),
      },
      failed: { count: this.#failed.length, ids: this.#failed.slice(0, MOST_NAMED) },
    };
  }
}
