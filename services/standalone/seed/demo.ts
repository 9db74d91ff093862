import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { DEMO_EMAIL } from "../../management/accounts/people/sign-up.ts";
import { type Caller, createCaller, signIn, signUp } from "./caller.ts";
import {
  DEMO_ADS,
  DEMO_DAYS,
  DEMO_FIELDS,
  DEMO_REVISION,
  DEMO_TIERS,
  DEMO_WAITING,
  type DemoCreative,
} from "./content.ts";
import { type DemoSignIn, stillWorks } from "./demo-sign-in.ts";
import { writeHistory } from "./history.ts";

/** The demo workspace, for the welcome. */
export interface Demo {
  readonly workspaceId: string;
  readonly adId: string;
  /** Only at the first start; it is stored nowhere. */
  readonly key: string | null;
  /** Null once the publisher has chosen another password. */
  readonly signIn: DemoSignIn | null;
}

const DEMO_SLUG = "demo";
/** The slug until the demo is complete, so that the next start finds and replaces an interrupted one. */
const UNFINISHED_SLUG = "demo-unfinished";
const DAY_MS = 86_400_000;
const withId = z.object({ id: z.string() });
const tierAnswer = z.object({ id: z.string(), prices: z.array(withId).min(1) });

interface DemoPorts {
  readonly db: Kysely<Tables>;
  readonly stats: StatsStore;
  readonly now: () => number;
}

/**
 * Gives an empty installation a demo workspace: tiers, fields, approved ads, some weeks of public stats and an ad to review.
 * Everything that has an endpoint goes through it, as for a publisher and advertisers. Otherwise finds the demo of an earlier
 * start; null if this installation never had one.
 */
export async function seedDemo(
  { db, stats, now }: DemoPorts,
  origin: string,
  signIn: DemoSignIn,
): Promise<Demo | null> {
  await removeUnfinished(db);
  const anybody = await db.selectFrom("people").select("id").limit(1).executeTakeFirst();
  if (anybody !== undefined) return await findDemo(db, signIn);

  const cookie = await signInPublisher(db, origin, signIn);
  const person = createCaller(origin, { cookie });
  const workspace = await person.call("POST", "/v1/workspaces", withId, {
    name: "Demo site",
    slug: UNFINISHED_SLUG,
    websiteUrl: "https://publisher.example",
  });
  const { key } = await person.call(
    "POST",
    `/v1/workspaces/${workspace.id}/api-keys`,
    z.object({ key: z.string() }),
    { name: "Demo key" },
  );
  const publisher = createCaller(origin, { authorization: `Bearer ${key}` });
  const tagline = await addFields(db, workspace.id);
  const prices = await addTiers(publisher, workspace.id);

  const ads: { workspaceId: string; adId: string; perDay: number }[] = [];
  const place = { workspaceId: workspace.id, prices, tagline };
  const anybodyElse = createCaller(origin);
  for (const ad of DEMO_ADS) {
    const { adId, submissions } = await advertise(anybodyElse, place, ad);
    await publisher.call("POST", `/v1/workspaces/${workspace.id}/ads/${adId}/approve`, withId);
    ads.push({ workspaceId: workspace.id, adId, perDay: ad.perDay });
    if (ad.name === DEMO_REVISION.name) await submit(anybodyElse, submissions, tagline, DEMO_REVISION);
  }
  await advertise(anybodyElse, place, DEMO_WAITING);
  await backdate(db, workspace.id, now() - DEMO_DAYS * DAY_MS);
  await writeHistory(stats, ads, DEMO_DAYS, now());
  // Last, because figures are cached for minutes: an earlier visitor would see them without history.
  await publisher.call("PATCH", `/v1/workspaces/${workspace.id}/settings`, z.unknown(), {
    audiencePublic: true,
  });
  await db.updateTable("workspaces").set({ slug: DEMO_SLUG }).where("id", "=", workspace.id).execute();
  return { workspaceId: workspace.id, adId: ads[0]?.adId ?? "", key, signIn };
}

/** Marks the address as verified, because nobody could open the link of a verification. */
async function signInPublisher(db: Kysely<Tables>, origin: string, person: DemoSignIn): Promise<string> {
  await signUp(origin, { ...person, name: "Demo publisher" });
  await db.updateTable("people").set({ email_verified: true }).where("email", "=", person.email).execute();
  return await signIn(origin, person);
}

async function addTiers(publisher: Caller, workspaceId: string): Promise<string[]> {
  const prices: string[] = [];
  for (const { amount, ...tier } of DEMO_TIERS) {
    const { prices: made } = await publisher.call("POST", `/v1/workspaces/${workspaceId}/tiers`, tierAnswer, {
      ...tier,
      initialPrices: [{ amount, intervalCount: 1, currency: "usd" }],
    });
    prices.push(made[0]?.id ?? "");
  }
  return prices;
}

/** The demo workspace, for its advertisers. */
interface Place {
  readonly workspaceId: string;
  /** The id of one price per tier. */
  readonly prices: readonly string[];
  /** The field's id. */
  readonly tagline: string;
}

/** Buys in the sandbox and submits the ad; returns its id and the path for further submissions. */
async function advertise(
  advertiser: Caller,
  { workspaceId, prices, tagline }: Place,
  ad: DemoCreative & { readonly tier: number },
): Promise<{ adId: string; submissions: string }> {
  const { sessionId } = await advertiser.call(
    "POST",
    `/v1/workspaces/${workspaceId}/checkout-sessions`,
    z.object({ sessionId: z.string() }),
    { tierPriceId: prices[ad.tier] ?? "" },
  );
  await advertiser.call("POST", `/sandbox/checkout/${sessionId}/complete`, z.unknown(), {
    email: `ads@${new URL(ad.site).hostname}.invalid`,
    name: ad.name,
  });
  const submissions = `/v1/checkout-sessions/${sessionId}/ad`;
  return { adId: await submit(advertiser, submissions, tagline, ad), submissions };
}

async function submit(
  advertiser: Caller,
  submissions: string,
  tagline: string,
  ad: DemoCreative,
): Promise<string> {
  const { id } = await advertiser.call("POST", submissions, withId, {
    name: ad.name,
    websiteUrl: ad.site,
    meta: [{ fieldId: tagline, value: ad.tagline }],
  });
  return id;
}

/** Returns the id of the tagline, which the demo's ads fill in. */
async function addFields(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const rows = DEMO_FIELDS.map((field, order) => ({
    id: newId("field"),
    workspace_id: workspaceId,
    key: field.key,
    name: field.name,
    type: field.type,
    is_required: field.required,
    is_publisher_only: field.publisherOnly,
    max_length: field.maxLength,
    options: JSON.stringify([]),
    order,
  }));
  await db.insertInto("fields").values(rows).execute();
  return rows[0]?.id ?? "";
}

/** Dates the approval of the demo's ads back to the beginning of their history. */
async function backdate(db: Kysely<Tables>, workspaceId: string, instant: number): Promise<void> {
  const then = new Date(instant);
  await db
    .updateTable("ads")
    .set({ created_at: then, reviewed_at: then, serving_since: then })
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "Approved")
    .execute();
}

/** Removes the workspace of an interrupted start, or only the person if it had no workspace yet. */
async function removeUnfinished(db: Kysely<Tables>): Promise<void> {
  const publisher = db.selectFrom("people").select("id").where("email", "=", DEMO_EMAIL);
  const itsWorkspaces = db.selectFrom("members").select("workspace_id").where("person_id", "in", publisher);
  await db
    .deleteFrom("workspaces")
    .where("slug", "=", UNFINISHED_SLUG)
    .where("id", "in", itsWorkspaces)
    .execute();
  await db
    .deleteFrom("people")
    .where("email", "=", DEMO_EMAIL)
    .where("id", "not in", db.selectFrom("members").select("person_id"))
    .execute();
}

async function findDemo(db: Kysely<Tables>, signIn: DemoSignIn): Promise<Demo | null> {
  const row = await db
    .selectFrom("workspaces")
    .innerJoin("ads", "ads.workspace_id", "workspaces.id")
    .where("workspaces.slug", "=", DEMO_SLUG)
    .where("ads.status", "=", "Approved")
    .select(["workspaces.id as workspace_id", "ads.id as ad_id"])
    .orderBy("ads.id")
    .executeTakeFirst();
  if (row === undefined) return null;
  const works = await stillWorks(db, signIn);
  return { workspaceId: row.workspace_id, adId: row.ad_id, key: null, signIn: works ? signIn : null };
}
