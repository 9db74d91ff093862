import type { Field } from "#libs/contract/fields.ts";
import { notFound } from "#libs/http/index.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { findRevision, type RevisionRow } from "../../ads/revisions/queries.ts";
import { type CheckoutRow, findCheckout, findSubmittedAd } from "../../billing/checkout/queries.ts";
import { currentCheckout } from "../../billing/checkout/sessions.ts";
import { listFieldsForAdvertisers } from "../../catalogue/fields/queries.ts";
import { presentField } from "../../catalogue/fields/values.ts";
import type { SellingPorts } from "../ports.ts";
import { findPublisher, findPurchase, type Publisher, type Purchase } from "../queries.ts";

export type SubmittedAd = NonNullable<Awaited<ReturnType<typeof findSubmittedAd>>>;

/** Everything that the holder of a session's address may see. */
export interface Visit {
  readonly publisher: Publisher;
  readonly session: CheckoutRow;
  /** Null until the payment is confirmed. */
  readonly purchase: Purchase | null;
  /** The fields that advertisers fill in. */
  readonly fields: readonly Field[];
  readonly ad: SubmittedAd | undefined;
  /** The open revision. */
  readonly revision: RevisionRow | undefined;
  /** Whether the processor failed to answer if an open session is paid. */
  readonly isProcessorAway: boolean;
}

/** Throws `HttpError` 404 for an unknown session, and for one of another workspace. */
export async function openVisit(
  ports: SellingPorts,
  { workspace, sessionId }: { readonly workspace: string; readonly sessionId: string },
): Promise<Visit> {
  const { db } = ports;
  const [publisher, known] = await Promise.all([findPublisher(db, workspace), findCheckout(db, sessionId)]);
  if (publisher === undefined || known?.workspace_id !== publisher.id) throw notFound("Checkout session");
  const { session, isProcessorAway } = await askForPayment(ports, known);
  const { subscription_id: subscriptionId } = session;
  const [fields, ad, purchase] = await Promise.all([
    listFieldsForAdvertisers(db, publisher.id),
    findSubmittedAd(db, subscriptionId),
    subscriptionId === null ? null : findPurchase(db, publisher.id, subscriptionId),
  ]);
  const revision = ad === undefined ? undefined : await findRevision(db, publisher.id, ad.id);
  return { publisher, session, purchase, fields: fields.map(presentField), ad, revision, isProcessorAway };
}

async function askForPayment(ports: SellingPorts, known: CheckoutRow) {
  try {
    return { session: await currentCheckout(ports, known.id), isProcessorAway: false };
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    ports.logger.warn({ err: error }, "the payment processor could not be asked about a checkout");
    return { session: known, isProcessorAway: true };
  }
}

/** The path of the session's page, or of the page `below` it. */
export function sessionPath({ publisher, session }: Visit, below = ""): string {
  return `/advertise/${publisher.id}/checkout/${session.id}${below}`;
}

/** The price of a session as pages show it. */
export function priceOf({ session }: Pick<Visit, "session">) {
  const { interval, interval_count: intervalCount, amount, currency } = session;
  return { interval, intervalCount, amount, currency };
}

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

/** Whether the publisher has requested changes to a pending ad, so that its form comes first. */
export function areChangesRequested({ ad }: AdVisit): boolean {
  return ad.status === "Pending" && ad.rejection_note !== null;
}
