import type { Insertable, Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { checkoutTerms } from "#libs/domain/charging-rule.ts";
import { isId } from "#libs/domain/ids.ts";
import { type AddressKey, conflict, type HttpError, notFound } from "#libs/http/index.ts";
import { areLettersWithheld, type MailLimitPorts } from "../../mail/delivery.ts";
import { checkoutAddress } from "../../mail/links.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { inLineOf } from "../../store/row-lines.ts";
import { findSellingAccount, sellIn } from "../connect/account.ts";
import type { Billing } from "../mirror.ts";
import { ensureProcessorPrice } from "./processor-price.ts";
import { processorMetadata, type Reference, withSessionId } from "./reference.ts";

export interface SalePorts
  extends Pick<MailLimitPorts, "limits">,
    Pick<Billing, "db" | "payments" | "publicUrl" | "now"> {
  readonly sales: {
    /** Whether each workspace sells in a connected account of its own, or all in the platform's. */
    readonly connect: boolean;
    /** Days before the first charge of a price that is not free; null for none. */
    readonly trialDays: number | null;
  };
}

/** The answer to buyers while a workspace is suspended. */
export const NOT_AVAILABLE = "Placements of this publisher are not available at present.";

/**
 * Opens a hosted checkout for a price and remembers it under the processor's session id. 404 for a workspace or price
 * that does not exist, 409 for one that is no longer on sale or whose workspace is suspended. Two requests with one
 * `intent` get the same checkout.
 */
export async function startCheckout(
  ports: SalePorts,
  request: {
    readonly workspaceId: string;
    readonly tierPriceId: string;
    readonly email: string | undefined;
    readonly cancelUrl: string | undefined;
    readonly successUrl?: string | undefined;
    readonly intent: string;
    /** Who asks. */
    readonly caller: AddressKey;
  } & Reference,
): Promise<{ url: string; sessionId: string }> {
  const offer = await findOffer(ports.db, request.workspaceId, request.tierPriceId);
  if (offer === undefined) throw notFound("Tier price");
  const refusal = refusalOf(offer);
  if (refusal !== null) throw refusal;

  const { trialDays } = ports.sales;
  const paysLater = offer.amount === 0 || offer.charge_at === "approval" || trialDays !== null;
  const lettersWithheld =
    paysLater && (await areLettersWithheld(ports.db, ports, offer.workspace_id, request.caller));
  const account = await findSellingAccount(ports.db, ports.sales.connect, offer.workspace_id);
  const session = await sellIn(
    ports,
    account,
    async () =>
      await ports.payments.createCheckoutSession({
        account,
        workspaceId: offer.workspace_id,
        tierPriceId: offer.id,
        processorPriceId: await ensureProcessorPrice(ports, offer, account),
        free: offer.amount === 0,
        chargeAt: offer.amount === 0 ? "purchase" : offer.charge_at,
        trialDays: offer.amount === 0 ? null : trialDays,
        terms: termsOf(ports, offer),
        allowPromotionCodes: true,
        email: request.email,
        successUrl:
          request.successUrl === undefined
            ? checkoutAddress(ports.publicUrl, offer.workspace_id, "{CHECKOUT_SESSION_ID}")
            : withSessionId(request.successUrl),
        cancelUrl: request.cancelUrl ?? offer.website_url ?? ports.publicUrl.origin,
        clientReferenceId: offer.workspace_id,
        metadata: processorMetadata(request),
        idempotencyKey: `checkout:${request.intent}`,
      }),
  );
  const checkout = {
    id: session.processorSessionId,
    workspace_id: offer.workspace_id,
    price_id: offer.id,
    provider_account: account,
    letters_withheld: lettersWithheld,
    created_at: new Date(ports.payments.moment(ports.now()).atProcessor),
  };
  const stopped = await inLineOf(offer.workspace_id, () => recordCheckout(ports.db, checkout));
  if (stopped !== null) throw stopped;
  return { url: session.url, sessionId: session.processorSessionId };
}

/**
 * Records an open checkout. Returns the refusal where the workspace was suspended or the price archived meanwhile; a job then
 * ends the checkout. Because of the lock, which suspending and archiving take too, either they see the checkout, or we see them.
 */
async function recordCheckout(
  db: Kysely<Tables>,
  checkout: Insertable<Tables["checkout_sessions"]>,
): Promise<HttpError | null> {
  const { workspace_id: workspaceId, price_id: priceId } = checkout;
  return await db.transaction().execute(async (trx) => {
    await trx.selectFrom("workspaces").where("id", "=", workspaceId).select("id").forShare().execute();
    await trx
      .insertInto("checkout_sessions")
      .values(checkout)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    const offer = await findOffer(trx, workspaceId, priceId);
    const refusal = offer === undefined ? notFound("Tier price") : refusalOf(offer);
    if (refusal !== null) await enqueue(trx, "close-checkouts", { workspaceId });
    return refusal;
  });
}

/** Why nothing is sold at the moment; null if it is. */
function refusalOf(offer: NonNullable<Awaited<ReturnType<typeof findOffer>>>): HttpError | null {
  if (offer.workspace_suspended_at !== null)
    return conflict("SALES_SUSPENDED", { formErrors: [NOT_AVAILABLE] });
  return offer.is_active && offer.tier_is_active
    ? null
    : conflict("PRICE_NOT_ON_SALE", {
        fieldErrors: { tierPriceId: ["This price is no longer on sale."] },
      });
}

async function findOffer(db: Kysely<Tables>, workspaceId: string, priceId: string) {
  if (!isId("workspace", workspaceId) || !isId("price", priceId)) return undefined;
  return await db
    .selectFrom("prices")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .innerJoin("workspaces", "workspaces.id", "prices.workspace_id")
    .where("prices.workspace_id", "=", workspaceId)
    .where("prices.id", "=", priceId)
    .selectAll("prices")
    .select([
      "tiers.name as tier_name",
      "tiers.is_active as tier_is_active",
      "tiers.provider_product_id",
      "tiers.provider_active as tier_provider_active",
      "workspaces.name as workspace_name",
      "workspaces.website_url",
      "workspaces.charge_at",
      "workspaces.suspended_at as workspace_suspended_at",
    ])
    .executeTakeFirst();
}

/** What the checkout page says of the charge; undefined where there is none. */
function termsOf(
  { sales: { trialDays } }: SalePorts,
  {
    amount,
    charge_at: chargeAt,
    workspace_name: workspace,
  }: NonNullable<Awaited<ReturnType<typeof findOffer>>>,
): string | undefined {
  return amount === 0 ? undefined : checkoutTerms({ chargeAt, trialDays, workspace });
}
