import { notFound } from "#libs/http/index.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { type CheckoutRow, findCheckout, findSubmittedAd } from "../../checkout/queries.ts";
import { currentCheckout } from "../../checkout/sessions.ts";
import { presentField } from "../../fields/present.ts";
import { listFieldsForAdvertisers } from "../../fields/queries.ts";
import { findRevision, type RevisionRow } from "../../revisions/queries.ts";
import type { Services } from "../../services.ts";
import { findPublisher, findPurchase, type Publisher, type Purchase } from "../queries.ts";

export type SubmittedAd = NonNullable<Awaited<ReturnType<typeof findSubmittedAd>>>;
export type ShownField = ReturnType<typeof presentField>;

/** What the holder of a session's address may see, as it is now. */
export interface Visit {
  readonly publisher: Publisher;
  readonly session: CheckoutRow;
  /** Null until it is known to be paid. */
  readonly purchase: Purchase | null;
  /** Those that advertisers fill in. */
  readonly fields: readonly ShownField[];
  readonly ad: SubmittedAd | undefined;
  /** The open revision. */
  readonly revision: RevisionRow | undefined;
  /** Whether the processor could not be asked if an open session is paid. */
  readonly isProcessorAway: boolean;
}

/** Throws `HttpError` 404 for an unknown session, and for one of another workspace. */
export async function openVisit(
  services: Services,
  { workspace, sessionId }: { readonly workspace: string; readonly sessionId: string },
): Promise<Visit> {
  const { db } = services;
  const [publisher, known] = await Promise.all([findPublisher(db, workspace), findCheckout(db, sessionId)]);
  if (publisher === undefined || known?.workspace_id !== publisher.id) throw notFound("Checkout session");
  const { session, isProcessorAway } = await askForPayment(services, known);
  const { subscription_id: subscriptionId } = session;
  const [fields, ad, purchase] = await Promise.all([
    listFieldsForAdvertisers(db, publisher.id),
    findSubmittedAd(db, subscriptionId),
    subscriptionId === null ? null : findPurchase(db, publisher.id, subscriptionId),
  ]);
  const revision = ad === undefined ? undefined : await findRevision(db, publisher.id, ad.id);
  return { publisher, session, purchase, fields: fields.map(presentField), ad, revision, isProcessorAway };
}

async function askForPayment(services: Services, known: CheckoutRow) {
  try {
    return { session: await currentCheckout(services, known.id), isProcessorAway: false };
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    services.logger.warn({ err: error }, "the payment processor could not be asked about a checkout");
    return { session: known, isProcessorAway: true };
  }
}

/** Where the page of the session is; `below` is a page of its own below it. */
export function sessionPath({ publisher, session }: Visit, below = ""): string {
  return `/advertise/${publisher.id}/checkout/${session.id}${below}`;
}

/** The price of a session as pages show it. */
export function priceOf({ session }: Pick<Visit, "session">) {
  const { interval, interval_count: intervalCount, amount, currency } = session;
  return { interval, intervalCount, amount, currency };
}
