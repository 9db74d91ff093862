import { expect, it, onTestFinished } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { startManagement } from "../../tests/management.ts";
import { aPendingAd, aPublisher, type Publisher } from "../../tests/story.ts";
import { queueAllCharging } from "./charging-queries.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { db, pool } = service.database;
const { processor } = service;
/** As many subscriptions are worked on at a time. */
const PLACES = 3;

type Pending = Awaited<ReturnType<typeof aPendingAd>>;

/** Ads that are charged once they are approved. */
async function pendingAds(publisher: Publisher, count: number): Promise<Pending[]> {
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  const ads: Pending[] = [];
  for (let n = 1; n <= count; n += 1) ads.push(await aPendingAd(service, publisher));
  return ads;
}

async function approve({ caller }: Publisher, ads: readonly Pending[]): Promise<void> {
  for (const { path } of ads) await caller.ok(ad, "POST", `${path}/approve`);
}

/** Takes all places by ads of that publisher; the answer gives them back. */
async function takePlaces(publisher: Publisher): Promise<() => void> {
  const ads = await pendingAds(publisher, PLACES);
  const held = ads.map(() => processor.holdNextAnswer());
  await approve(publisher, ads);
  await Promise.all(held.map(({ given }) => given));
  return () => {
    for (const { release } of held) release();
  };
}

/** Keeps the charges of these ads from being made until the answer is called. */
async function keepUncharged(ads: readonly Pending[]): Promise<() => Promise<unknown>> {
  const holding = await pool.connect();
  onTestFinished(() => holding.release());
  await holding.query("begin");
  await holding.query(
    "select from subscriptions where id in (select subscription_id from ads where id = any($1)) for update",
    [ads.map(({ id }) => id)],
  );
  return () => holding.query("commit");
}

async function isCharged({ caller }: Publisher, { path }: Pending): Promise<boolean> {
  return !(await caller.ok(ad, "GET", path)).subscription.awaitsCharge;
}

it("charges for the approval of another workspace before all those of one that approves many", async () => {
  const many = await aPublisher(service, "Many Weekly");
  const other = await aPublisher(service, "Other Weekly");
  const later = await pendingAds(many, 2 * PLACES);
  const [theirs] = await pendingAds(other, 1);
  if (theirs === undefined) throw new Error("there is no ad");
  const giveBack = await takePlaces(many);
  await approve(many, later);
  const letGo = await keepUncharged(later);

  await approve(other, [theirs]);
  giveBack();

  await expect.poll(() => isCharged(other, theirs)).toBe(true);
  await letGo();
});

it("lets a subscription that has waited keep its place when all that need something are queued again", async () => {
  const publisher = await aPublisher(service);
  const older = await pendingAds(publisher, 2 * PLACES);
  const [newest] = await pendingAds(publisher, 1);
  if (newest === undefined) throw new Error("there is no ad");
  const giveBack = await takePlaces(publisher);
  await approve(publisher, [newest, ...older]);
  const letGo = await keepUncharged(older);

  await queueAllCharging(db, service.services.payments.moment(Date.now()).atProcessor);
  giveBack();

  await expect.poll(() => isCharged(publisher, newest)).toBe(true);
  await letGo();
});
