import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { DEMO_EMAIL } from "#libs/domain/email-address.ts";
import { newId } from "#libs/domain/ids.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import type { People } from "../../management/accounts/people/people.ts";
import { storeOwnFile } from "../../management/media/uploads/records.ts";
import { backdateWorkspace } from "./backdating.ts";
import { type Caller, createCaller, signIn, withId } from "./caller.ts";
import { DEMO_ADS, DEMO_FIELDS, DEMO_TIERS } from "./content.ts";
import { type DemoSignIn, stillWorks } from "./demo-sign-in.ts";
import { type HistoryOfAd, writeHistory } from "./history.ts";
import { drawPicture } from "./picture.ts";
import { type Place, sell, sellWaiting } from "./sales.ts";

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
/** Sales that are made at the same time: each waits for the database and the sandbox longer than it computes. */
const AT_ONCE = 3;
const tierAnswer = z.object({ id: z.string(), prices: z.array(withId).min(1) });

interface DemoPorts {
  readonly db: Kysely<Tables>;
  readonly stats: StatsStore;
  readonly uploads: Uploads;
  readonly uploadQuotaBytes: number;
  readonly people: Pick<People, "passwords">;
  readonly now: () => number;
}

/** How the demo calls its own installation. */
interface DemoOrigin {
  readonly origin: string;
  /** The API key of the sandbox, which lets purchases be made as of an earlier time. */
  readonly sandboxKey: string;
}

/**
 * Gives an empty installation a demo workspace: tiers, fields, approved ads with images, months of purchases and public
 * stats, and an ad to review. Everything that has an endpoint goes through it, as for a publisher and advertisers. In any
 * other installation, finds the demo of an earlier start; null if there never was one.
 */
export async function seedDemo(
  ports: DemoPorts,
  { origin, sandboxKey }: DemoOrigin,
  signIn: DemoSignIn,
): Promise<Demo | null> {
  const { db, stats, now } = ports;
  await removeUnfinished(db);
  const anybody = await db.selectFrom("people").select("id").limit(1).executeTakeFirst();
  if (anybody !== undefined) return await findDemo(ports, signIn);

  const cookie = await signInPublisher(ports, origin, signIn);
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
  // Whoever signs in to the demo would see this session as another device.
  await person.call("POST", "/api/auth/sign-out", z.unknown());
  const publisher = createCaller(origin, { authorization: `Bearer ${key}` });
  const fields = await addFields(publisher, workspace.id);
  const prices = await addTiers(publisher, workspace.id);

  const place: Place = {
    db,
    now: now(),
    workspaceId: workspace.id,
    prices,
    fields,
    publisher,
    advertiser: createCaller(origin),
    sandbox: createCaller(origin, { authorization: `Bearer ${sandboxKey}` }),
    draw: async ({ motif, palette }) => {
      const file = {
        workspaceId: workspace.id,
        contentType: "image/png",
        bytes: drawPicture(motif, palette),
      } as const;
      const publicUrl = await storeOwnFile(ports, file, { isFree: false, sessionId: null });
      if (publicUrl === null)
        throw new Error("The uploads of a workspace have no room for the demo's images.");
      return publicUrl;
    },
  };
  const ads: HistoryOfAd[] = [];
  for (let first = 0; first < DEMO_ADS.length; first += AT_ONCE) {
    const some = DEMO_ADS.slice(first, first + AT_ONCE);
    ads.push(...(await Promise.all(some.map((ad) => sell(place, ad)))));
  }
  await Promise.all([sellWaiting(place), writeHistory(stats, ads, now())]);
  await backdateWorkspace(db, workspace.id, Math.min(...ads.map(({ since }) => since)) - 7 * DAY_MS);
  // Last, because figures are cached for minutes: an earlier visitor would see them without history.
  await publisher.call("PATCH", `/v1/workspaces/${workspace.id}/settings`, z.unknown(), {
    audiencePublic: true,
  });
  await db.updateTable("workspaces").set({ slug: DEMO_SLUG }).where("id", "=", workspace.id).execute();
  // As `findDemo` chooses it.
  const [adId = ""] = ads.map((ad) => ad.adId).toSorted();
  return { workspaceId: workspace.id, adId, key, signIn };
}

/** Adds the publisher without a sign-up, because nobody signs up with their address, and no mail could verify it. */
async function signInPublisher(
  { db, people }: DemoPorts,
  origin: string,
  { email, password }: DemoSignIn,
): Promise<string> {
  const id = newId("person");
  const hash = await people.passwords.hash(password);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("people")
      .values({ id, name: "Demo publisher", email, email_verified: true })
      .execute();
    await trx
      .insertInto("credentials")
      .values({
        id: crypto.randomUUID(),
        person_id: id,
        provider_id: "credential",
        account_id: id,
        password: hash,
      })
      .execute();
  });
  return await signIn(origin, { email, password });
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

/** Returns the ids by the fields' keys. */
async function addFields(publisher: Caller, workspaceId: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const field of DEMO_FIELDS) {
    const { id } = await publisher.call("POST", `/v1/workspaces/${workspaceId}/fields`, withId, field);
    ids.set(field.key, id);
  }
  return ids;
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

async function findDemo({ db, people }: DemoPorts, signIn: DemoSignIn): Promise<Demo | null> {
  const row = await db
    .selectFrom("workspaces")
    .innerJoin("ads", "ads.workspace_id", "workspaces.id")
    .where("workspaces.slug", "=", DEMO_SLUG)
    .where("ads.status", "=", "Approved")
    .select(["workspaces.id as workspace_id", "ads.id as ad_id"])
    .orderBy("ads.id")
    .executeTakeFirst();
  if (row === undefined) return null;
  const works = await stillWorks(db, people.passwords, signIn);
  return { workspaceId: row.workspace_id, adId: row.ad_id, key: null, signIn: works ? signIn : null };
}
