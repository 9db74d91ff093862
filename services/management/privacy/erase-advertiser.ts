import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import type { Actor } from "../api/access/granted.ts";
import { recordChange } from "../audit/record.ts";
import { stayEnded } from "../billing/subscriptions/lost-account.ts";
import { forgetLookupsOf } from "../media/favicons/look-up.ts";
import { type RemovalPorts, releaseUploads } from "../media/uploads/removal.ts";
import { uploadsNamedBy } from "../media/uploads/usage.ts";
import { bumpSnapshotVersion } from "../snapshots/publish.ts";
import {
  dropAnswersWith,
  dropMailsTo,
  ERASED_AD,
  ERASED_ADVERTISER,
  ERASED_WEBSITE,
} from "./forget-address.ts";

interface Target {
  readonly workspaceId: string;
  readonly advertiserId: string;
}

/**
 * Removes everything that identifies an advertiser: name, email address, contents of ads and revisions, images, links, values
 * in the audit log. Subscriptions and invoices stay, without names. 404 for an unknown advertiser, 409 while the payment
 * processor may still charge them.
 */
export async function eraseAdvertiser(ports: RemovalPorts, actor: Actor, target: Target): Promise<void> {
  const { db, now } = ports;
  const { workspaceId, advertiserId } = target;
  const images = await db.transaction().execute(async (trx) => {
    const advertiser = await lockAdvertiser(trx, target);
    if (advertiser === undefined) throw notFound("Advertiser");
    const subscriptionIds = await requireEnded(trx, target);
    const ads = await trx
      .selectFrom("ads")
      .where("workspace_id", "=", workspaceId)
      .where("subscription_id", "=", sql<string>`any(${subscriptionIds}::text[])`)
      .select(["id", "website_url"])
      .execute();
    const adIds = ads.map(({ id }) => id);
    await forgetLookupsOf(trx, await websitesOf(trx, workspaceId, ads));
    const named = await uploadsNamedBy(trx, workspaceId, adIds);

    await scrubSubscriptions(trx, workspaceId, subscriptionIds);
    await scrubAds(trx, workspaceId, adIds);
    const invoiceIds = await scrubInvoices(trx, workspaceId, subscriptionIds);
    await scrubAudit(trx, workspaceId, [...adIds, ...subscriptionIds, ...invoiceIds, advertiserId]);
    for (const table of ["monthly_reports", "report_unsubscribes", "advertiser_links"] as const) {
      await trx
        .deleteFrom(table)
        .where("workspace_id", "=", workspaceId)
        .where("advertiser_id", "=", advertiserId)
        .execute();
    }
    if (advertiser.email !== null) await dropMailsTo(trx, advertiser.email, workspaceId);
    const answered = [advertiserId, ...adIds, ...(advertiser.email === null ? [] : [advertiser.email])];
    await dropAnswersWith(trx, answered, workspaceId);
    const moment = new Date(now());
    await trx
      .updateTable("advertisers")
      .set({
        name: ERASED_ADVERTISER,
        email: null,
        provider_customer_id: null,
        erased_at: moment,
        updated_at: moment,
      })
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", advertiserId)
      .execute();
    await recordChange(trx, actor, { workspaceId, action: "advertiser.erase", resourceId: advertiserId });
    await bumpSnapshotVersion(trx, workspaceId);
    return named;
  });
  await releaseUploads(ports, workspaceId, images);
}

async function lockAdvertiser(db: Kysely<Tables>, { workspaceId, advertiserId }: Target) {
  if (!isId("advertiser", advertiserId)) return undefined;
  return await db
    .selectFrom("advertisers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", advertiserId)
    .select(["id", "email"])
    .forUpdate()
    .executeTakeFirst();
}

/** The ids of the advertiser's subscriptions; 409 unless all have ended. */
async function requireEnded(
  trx: Transaction<Tables>,
  { workspaceId, advertiserId }: Target,
): Promise<string[]> {
  const rows = await trx
    .selectFrom("subscriptions")
    .where("workspace_id", "=", workspaceId)
    .where("advertiser_id", "=", advertiserId)
    .select(["id", "status"])
    .execute();
  if (rows.some(({ status }) => !hasEnded(status))) {
    throw conflict("SUBSCRIPTION_LIVE", {
      formErrors: ["This advertiser has a subscription that hasn't ended. Cancel it, then erase them."],
    });
  }
  return rows.map(({ id }) => id);
}

async function websitesOf(
  trx: Transaction<Tables>,
  workspaceId: string,
  ads: readonly { readonly id: string; readonly website_url: string }[],
): Promise<string[]> {
  const revisions = await trx
    .selectFrom("revisions")
    .where("workspace_id", "=", workspaceId)
    .where("ad_id", "=", sql<string>`any(${ads.map(({ id }) => id)}::text[])`)
    .select("website_url")
    .execute();
  return [...ads, ...revisions].map(({ website_url: url }) => url);
}

async function scrubAds(
  trx: Transaction<Tables>,
  workspaceId: string,
  adIds: readonly string[],
): Promise<void> {
  for (const table of ["revisions", "report_links", "ad_alerts"] as const) {
    await trx
      .deleteFrom(table)
      .where("workspace_id", "=", workspaceId)
      .where("ad_id", "=", sql<string>`any(${adIds}::text[])`)
      .execute();
  }
  await trx
    .updateTable("ads")
    .set({
      name: ERASED_AD,
      website_url: ERASED_WEBSITE,
      favicon_url: null,
      meta: "{}",
      images_elsewhere: "{}",
      rejection_note: null,
      previous: null,
      updated_at: new Date(),
    })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", sql<string>`any(${adIds}::text[])`)
    .execute();
}

async function scrubSubscriptions(
  trx: Transaction<Tables>,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<void> {
  const ofThese = sql<string>`any(${subscriptionIds}::text[])`;
  await trx
    .updateTable("subscriptions")
    .set({
      cancellation_comment: null,
      cancellation_feedback: null,
      client_reference: null,
      metadata: "{}",
    })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", ofThese)
    .execute();
  await stayEnded(trx, workspaceId, subscriptionIds);
  // Anybody who has the session's id can see and change the ad.
  await trx
    .deleteFrom("checkout_sessions")
    .where("workspace_id", "=", workspaceId)
    .where("subscription_id", "=", ofThese)
    .execute();
}

/** Removes the pages at the processor that name the payer, and the words of refunds; returns the invoices' ids. */
async function scrubInvoices(
  trx: Transaction<Tables>,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<string[]> {
  const invoices = await trx
    .updateTable("invoices")
    .set({ hosted_url: null, pdf_url: null })
    .where("workspace_id", "=", workspaceId)
    .where("subscription_id", "=", sql<string>`any(${subscriptionIds}::text[])`)
    .returning("id")
    .execute();
  const ids = invoices.map(({ id }) => id);
  const charges = trx
    .selectFrom("charges")
    .where("workspace_id", "=", workspaceId)
    .where("invoice_id", "=", sql<string>`any(${ids}::text[])`)
    .select("provider_charge_id");
  await trx
    .updateTable("refunds")
    .set({ note: null })
    .where("workspace_id", "=", workspaceId)
    .where("provider_charge_id", "in", charges)
    .execute();
  return ids;
}

async function scrubAudit(
  trx: Transaction<Tables>,
  workspaceId: string,
  resourceIds: readonly string[],
): Promise<void> {
  await sql`
    update audit_log
    set before = null, after = null,
      actor_name = case when actor_kind = 'advertiser' then ${ERASED_ADVERTISER} else actor_name end
    where workspace_id = ${workspaceId} and resource_id = any(${resourceIds}::text[])
  `.execute(trx);
}
