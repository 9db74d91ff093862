import type { ProcessorTime } from "./moment.ts";
import {
  type BillingFacts,
  hasBegun,
  isServing,
  lapsedAt,
  monthlyAmount,
  periodAmount,
  renewsAt,
} from "./subscription-billing.ts";

const DAY_MS = 86_400_000;

/** Subscriptions of one currency, and what they bring in an average month in its smallest unit, rounded once. */
export interface Recurring {
  readonly subscriptions: number;
  readonly monthlyAmount: number;
}

/** What the subscriptions of a workspace bring in one currency, and how that changes. */
export interface SubscriptionTotals {
  readonly currency: string;
  /** Those that are served now, or would be with an approved ad. */
  readonly serving: Recurring;
  /** Those that were bought in the last days, whatever has become of them. */
  readonly begun: Recurring;
  /** Those that were there before the last days, and have lapsed in them. */
  readonly lapsed: Recurring;
  /** The part of those that were there before the last days that has lapsed in them; null if there were none. */
  readonly churnRate: number | null;
  /** Those whose next period begins within as many days, at what the present one costs, or at their price in a trial. */
  readonly renewals: { readonly subscriptions: number; readonly amount: number };
}

/** What a tier has sold. */
export interface TierTotals {
  readonly tier: { readonly id: string; readonly name: string };
  /** Its ads on the air. */
  readonly adsOnAir: number;
  /** The part of all requests for one ad that its ads answer, where all ads of the workspace are asked for; null while none is on the air. */
  readonly firstShare: number | null;
  /** What its subscriptions bring that are served now, or would be with an approved ad; by currency. */
  readonly serving: (Recurring & { readonly currency: string })[];
}

/** A tier and the weight of each of its ads. */
interface Weighted {
  readonly id: string;
  readonly name: string;
  readonly weight: number;
}

/** The tier of a subscription, and whether it has an approved ad. */
export interface SoldIn {
  readonly tierId: string;
  readonly hasApprovedAd: boolean;
}

interface TierSums {
  adsOnAir: number;
  readonly serving: Map<string, Recurring>;
}

interface Sums {
  serving: Recurring;
  begun: Recurring;
  lapsed: Recurring;
  /** Begun before the last days, and not lapsed by then. */
  earlier: number;
  renewals: { subscriptions: number; amount: number };
}

const NONE: Recurring = { subscriptions: 0, monthlyAmount: 0 };

/** Adds the subscriptions of a workspace up, one after the other, as there may be very many. */
export class SubscriptionSums {
  readonly #now: ProcessorTime;
  readonly #spanMs: number;
  readonly #sums = new Map<string, Sums>();
  readonly #tiers = new Map<string, TierSums>();

  /** `days` are those before `now` and those after it. */
  constructor(days: number, now: ProcessorTime) {
    this.#now = now;
    this.#spanMs = days * DAY_MS;
  }

  add(facts: BillingFacts, sold: SoldIn): void {
    if (!hasBegun(facts)) return;
    const sums = this.#of(facts.price.currency);
    const since = this.#now - this.#spanMs;
    const lapsed = lapsedAt(facts, this.#now);
    const renews = renewsAt(facts, this.#now);
    const isEarlier = facts.createdAt < since && (lapsed === null || lapsed >= since);
    if (isServing(facts, this.#now)) {
      sums.serving = plus(sums.serving, facts);
      this.#addToTier(facts, sold);
    }
    if (facts.createdAt >= since) sums.begun = plus(sums.begun, facts);
    if (isEarlier) sums.earlier += 1;
    if (isEarlier && lapsed !== null) sums.lapsed = plus(sums.lapsed, facts);
    if (renews !== null && renews <= this.#now + this.#spanMs) {
      const { subscriptions, amount } = sums.renewals;
      sums.renewals = { subscriptions: subscriptions + 1, amount: amount + renewalAmount(facts) };
    }
  }

  /** The totals by currency: `home`, what the workspace bills in, first whether or not there are any, the others by name. */
  totals(home: string): SubscriptionTotals[] {
    const others = [...this.#sums.keys()].filter((currency) => currency !== home).toSorted();
    return [home, ...others].map((currency) => {
      const { serving, begun, lapsed, earlier, renewals } = this.#of(currency);
      return {
        currency,
        serving: rounded(serving),
        begun: rounded(begun),
        lapsed: rounded(lapsed),
        churnRate: earlier === 0 ? null : lapsed.subscriptions / earlier,
        renewals: { ...renewals, amount: whole(renewals.amount) },
      };
    });
  }

  /** What the tiers have sold, in their order. The first place of a rotation is drawn by weight, whatever its other places are. */
  ofTiers(tiers: readonly Weighted[]): TierTotals[] {
    const sums = tiers.map(({ id, name, weight }) => {
      const { adsOnAir = 0, serving = new Map<string, Recurring>() } = this.#tiers.get(id) ?? {};
      return { tier: { id, name }, adsOnAir, serving, lots: adsOnAir * weight };
    });
    const all = sums.reduce((sum, { lots }) => sum + lots, 0);
    return sums.map(({ tier, adsOnAir, serving, lots }) => ({
      tier,
      adsOnAir,
      firstShare: all === 0 ? null : lots / all,
      serving: [...serving].map(([currency, recurring]) => ({ currency, ...rounded(recurring) })),
    }));
  }

  #addToTier(facts: BillingFacts, { tierId, hasApprovedAd }: SoldIn): void {
    const { currency } = facts.price;
    const sums = this.#tiers.get(tierId) ?? { adsOnAir: 0, serving: new Map() };
    if (hasApprovedAd) sums.adsOnAir += 1;
    sums.serving.set(currency, plus(sums.serving.get(currency) ?? NONE, facts));
    this.#tiers.set(tierId, sums);
  }

  #of(currency: string): Sums {
    const known = this.#sums.get(currency);
    if (known !== undefined) return known;
    const made = {
      serving: NONE,
      begun: NONE,
      lapsed: NONE,
      earlier: 0,
      renewals: { subscriptions: 0, amount: 0 },
    };
    this.#sums.set(currency, made);
    return made;
  }
}

/** A trial has cost nothing, but what follows it does. */
function renewalAmount(facts: BillingFacts): number {
  return facts.status === "Trialing" ? facts.price.amount : periodAmount(facts);
}

function plus({ subscriptions, monthlyAmount: amount }: Recurring, facts: BillingFacts): Recurring {
  return { subscriptions: subscriptions + 1, monthlyAmount: amount + monthlyAmount(facts) };
}

function rounded({ subscriptions, monthlyAmount: amount }: Recurring): Recurring {
  return { subscriptions, monthlyAmount: whole(amount) };
}

/** No more than JSON carries exactly. */
function whole(amount: number): number {
  return Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER);
}
