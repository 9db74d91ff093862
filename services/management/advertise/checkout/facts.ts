import type { Purchase } from "../queries.ts";
import { hasEnded, type StandingFacts } from "./standing.ts";
import { priceOf, type SubmittedAd, type Visit } from "./visit.ts";

/** A visit to what has been paid. */
export type PaidVisit = Visit & { readonly purchase: Purchase };

/** A visit to an ad that has been submitted. */
export type AdVisit = PaidVisit & { readonly ad: SubmittedAd };

export function isPaid(visit: Visit): visit is PaidVisit {
  return visit.purchase !== null;
}

export function hasAd(visit: PaidVisit): visit is AdVisit {
  return visit.ad !== undefined;
}

/** What is to be said of a visit depends on this. */
export function standingFacts(visit: PaidVisit, now: number): StandingFacts {
  const { ad, purchase, publisher } = visit;
  return { ad: ad ?? null, purchase, price: priceOf(visit), publisher: publisher.name, now };
}

/** Whether what was bought is over. */
export function hasEndedNow({ purchase }: PaidVisit, now: number): boolean {
  return hasEnded(purchase, now);
}

/** Whether the publisher waits for another ad, so that its form comes first. */
export function areChangesAsked({ ad }: AdVisit): boolean {
  return ad.status === "Pending" && ad.rejection_note !== null;
}
