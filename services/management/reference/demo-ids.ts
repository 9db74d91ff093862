import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { DEMO_EMAIL } from "#libs/domain/email-address.ts";
import { EXAMPLE_IDS } from "./example-ids.ts";

/** The demo's ids by those of the examples, as far as it has them. No sessions and no tokens: these are secrets. */
type OwnIds = { readonly [Name in keyof typeof EXAMPLE_IDS]?: string | undefined };

/** The text with the demo's own ids where this installation has a demo, so that its examples work when they are sent. */
export async function withDemoIds(db: Kysely<Tables>, text: string): Promise<string> {
  const own: Readonly<Record<string, string | undefined>> = await findDemoIds(db);
  const byExample = Object.entries(EXAMPLE_IDS).map(([name, example]) => [example, own[name]] as const);
  return byExample.reduce(
    (said, [example, id]) => (id === undefined ? said : said.replaceAll(example, id)),
    text,
  );
}

/** Ids of the demo workspace alone: nobody else's are shown to strangers. */
async function findDemoIds(db: Kysely<Tables>): Promise<OwnIds> {
  const demo = await db
    .selectFrom("workspaces")
    .innerJoin("members", "members.workspace_id", "workspaces.id")
    .innerJoin("people", "people.id", "members.person_id")
    .where("workspaces.slug", "=", "demo")
    .where("people.email", "=", DEMO_EMAIL)
    .select(["workspaces.id", "members.id as member_id", "people.id as person_id"])
    .executeTakeFirst();
  if (demo === undefined) return {};

  const ads = await listAds(db, demo.id);
  const approved = ads.filter((ad) => ad.status === "Approved" && ad.revision_id === null);
  const running = approved.find((ad) => ad.subscription_status === "Active");
  const last = approved.filter((ad) => ad.id !== running?.id).at(-1);
  const apiKey = await db
    .selectFrom("api_keys")
    .where("workspace_id", "=", demo.id)
    .select("id")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  const invoice = await db
    .selectFrom("invoices")
    .where("workspace_id", "=", demo.id)
    .where("subscription_id", "=", running?.subscription_id ?? "")
    .where("amount_paid", ">", 0)
    .select("id")
    .orderBy("id")
    .executeTakeFirst();
  return {
    workspace: demo.id,
    member: demo.member_id,
    person: demo.person_id,
    tier: running?.tier_id,
    price: running?.price_id,
    invoice: invoice?.id,
    field: await findField(db, demo.id, false),
    publishersField: await findField(db, demo.id, true),
    apiKey: apiKey?.id,
    runningAd: running?.id,
    advertiser: running?.advertiser_id,
    subscription: running?.subscription_id,
    pendingAd: ads.find(({ status }) => status === "Pending")?.id,
    revisedAd: ads.find((ad) => ad.revision_id !== null)?.id,
    rejectedAd: last?.id,
    formerAdvertiser: last?.advertiser_id,
  };
}

/** The demo has few. */
async function listAds(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .leftJoin("revisions", "revisions.ad_id", "ads.id")
    .where("ads.workspace_id", "=", workspaceId)
    .select([
      "ads.id",
      "ads.status",
      "ads.subscription_id",
      "subscriptions.status as subscription_status",
      "subscriptions.advertiser_id",
      "subscriptions.tier_id",
      "subscriptions.price_id",
      "revisions.ad_id as revision_id",
    ])
    .orderBy("ads.id")
    .limit(100)
    .execute();
}

/** The first field of those that advertisers fill in, or of the publisher's own. */
async function findField(db: Kysely<Tables>, workspaceId: string, isPublishers: boolean) {
  const field = await db
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .where("is_publisher_only", "=", isPublishers)
    .select("id")
    .orderBy("order")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return field?.id;
}
