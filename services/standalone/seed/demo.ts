import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/index.ts";
import { newId } from "#libs/domain/ids.ts";
import { DEMO_EMAIL } from "../../management/people/sign-up.ts";
import type { Services } from "../../management/services.ts";
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
import { type DemoSignIn, isStillGood } from "./demo-sign-in.ts";
import { writeHistory } from "./history.ts";

/** What the welcome shows of the demo workspace. */
export interface Demo {
  readonly workspaceId: string;
  readonly adId: string;
  /** Only at the first start; it is stored nowhere. */
  readonly key: string | null;
  /** Null once the publisher has chosen another password. */
  readonly signIn: DemoSignIn | null;
}

const DEMO_SLUG = "demo";
/** Until everything is in it, so that a start that was cut short is noticed and made good by the next one. */
const UNFINISHED_SLUG = "demo-unfinished";
const DAY_MS = 86_400_000;
const withId = z.object({ id: z.string() });
const tierAnswer = z.object({ id: z.string(), prices: z.array(withId).min(1) });

/**
 * Gives an empty installation a demo workspace with tiers, fields, approved ads, some weeks of history that everybody
 * may see the figures of, and something to review. Everything that has an endpoint goes through it, as a publisher and advertisers would. Otherwise finds the demo
 * of an earlier start; null when this installation never had one.
 */
export async function seedDemo(services: Services, origin: string, signIn: DemoSignIn): Promise<Demo | null> {
  await removeUnfinished(services.db);
  const anybody = await services.db.selectFrom("people").select("id").limit(1).executeTakeFirst();
  if (anybody !== undefined) return await findDemo(services.db, signIn);

  const cookie = await signInPublisher(services.db, origin, signIn);
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
  const tagline = await addFields(services.db, workspace.id);
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
  await backdate(services.db, workspace.id, services.now() - DEMO_DAYS * DAY_MS);
  await writeHistory(services.stats, ads, DEMO_DAYS, services.now());
  // Whoever looks while there is no history yet would be shown none of it for some minutes after.
  await publisher.call("PATCH", `/v1/workspaces/${workspace.id}/settings`, z.unknown(), {
    audiencePublic: true,
  });
  await services.db
    .updateTable("workspaces")
    .set({ slug: DEMO_SLUG })
    .where("id", "=", workspace.id)
    .execute();
  return { workspaceId: workspace.id, adId: ads[0]?.adId ?? "", key, signIn };
}

/** Nobody could open the link of a verification, so where one is asked for the address is taken as verified. */
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

/** Where the demo's ads are bought. */
interface Place {
  readonly workspaceId: string;
  /** One of each tier. */
  readonly prices: readonly string[];
  /** The field's id. */
  readonly tagline: string;
}

/** Buys in the sandbox and submits the ad; returns its id, and where it is submitted again. */
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

/** Lets the demo's ads have been approved when their history begins. */
async function backdate(db: Kysely<Tables>, workspaceId: string, instant: number): Promise<void> {
  const then = new Date(instant);
  await db
    .updateTable("ads")
    .set({ created_at: then, reviewed_at: then, serving_since: then })
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "Approved")
    .execute();
}

/** What a start that was cut short has left: its workspace, or only the person who would have made it. */
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
  const isGood = await isStillGood(db, signIn);
  return { workspaceId: row.workspace_id, adId: row.ad_id, key: null, signIn: isGood ? signIn : null };
}
