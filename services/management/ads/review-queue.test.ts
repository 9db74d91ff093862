import { expect, it } from "vitest";
import type { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { adsContract } from "#libs/contract/ads.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { revision } from "#libs/contract/revisions.ts";
import { startManagement } from "../tests/management.ts";
import {
  aMember,
  anApprovedAd,
  aPendingAd,
  aPublisher,
  endSubscriptions,
  type Publisher,
} from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const note = "A clearer name, please.";
const proposed = { name: "Fresher beans", websiteUrl: "https://coffee.example" };

type Ad = Awaited<ReturnType<typeof aPendingAd>>;

async function submit({ checkout }: Ad, creative: object = proposed) {
  await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
}

async function queueOf({ caller, path }: Publisher, query = "") {
  const shape: z.ZodType<z.output<NonNullable<typeof output>>> | undefined = output;
  if (shape === undefined) throw new Error("the contract has no review queue");
  return await caller.ok(shape, "GET", `${path}/review-queue${query}`);
}
const output = adsContract.toReview["~orpc"].outputSchema;

it("lists new ads and edits in one queue, the longest wait first, a page at a time", async () => {
  const publisher = await aPublisher(service);
  const edited = await anApprovedAd(service, publisher);
  const first = await aPendingAd(service, publisher);
  const second = await aPendingAd(service, publisher);
  await submit(edited);
  await submit(first, { ...proposed, name: "Submitted again" });

  const whole = await queueOf(publisher);
  const last = await queueOf(publisher, "?perPage=2&page=2");
  const beyond = await queueOf(publisher, "?perPage=2&page=9");

  expect(whole).toMatchObject({ total: 3, ads: 2, revisions: 1, page: 1, pageCount: 1 });
  expect(whole.items.map(({ kind, adId, name }) => [kind, adId, name])).toEqual([
    ["ad", second.id, "Example Coffee"],
    ["revision", edited.id, "Fresher beans"],
    ["ad", first.id, "Submitted again"],
  ]);
  expect(whole.items[1]).toMatchObject({
    websiteUrl: proposed.websiteUrl,
    isResubmission: false,
    tier: { id: edited.tier.id, name: "Gold" },
    tierPrice: { amount: 4900, currency: "usd" },
    advertiser: { email: edited.checkout.email },
  });
  expect(last).toMatchObject({ total: 3, page: 2, pageCount: 2, items: [{ adId: first.id }] });
  expect(beyond).toEqual(last);
  await publisher.caller.refused(422, "GET", `${publisher.path}/review-queue?page=0`);
});

it("lists only new ads or edits, or those of one tier, and counts all of both", async () => {
  const publisher = await aPublisher(service);
  const edited = await anApprovedAd(service, publisher);
  const pending = await aPendingAd(service, publisher);
  await submit(edited);

  const ads = await queueOf(publisher, "?kind=ad");
  const edits = await queueOf(publisher, "?kind=revision");
  const ofTier = await queueOf(publisher, `?tierId=${edited.tier.id}`);
  const ofNone = await queueOf(publisher, "?tierId=%00");

  expect([ads, edits].map(({ total, items }) => [total, items.map(({ adId }) => adId)])).toEqual([
    [1, [pending.id]],
    [1, [edited.id]],
  ]);
  expect(ofTier).toMatchObject({ total: 1, ads: 1, revisions: 1, items: [{ adId: edited.id }] });
  expect(ofNone).toMatchObject({ total: 0, items: [] });
  await publisher.caller.refused(422, "GET", `${publisher.path}/review-queue?kind=edit`);
});

it("leaves out what waits for its advertiser until that one submits again", async () => {
  const publisher = await aPublisher(service);
  const { caller } = publisher;
  const viewer = await aMember(service, publisher, "Viewer");
  const edited = await anApprovedAd(service, publisher);
  const pending = await aPendingAd(service, publisher);
  await submit(edited);
  await caller.ok(ad, "POST", `${pending.path}/request-changes`, { note });
  await caller.ok(revision, "POST", `${edited.path}/revision/request-changes`, { note });

  const asked = await queueOf({ ...publisher, caller: viewer.caller });
  await submit(edited);
  await submit(pending);
  const again = await queueOf(publisher);

  expect(asked).toMatchObject({ total: 0, ads: 0, revisions: 0, items: [] });
  expect(again.items.map(({ adId, isResubmission }) => [adId, isResubmission])).toEqual([
    [edited.id, true],
    [pending.id, true],
  ]);
});

it("has nothing in it whose subscription has ended, and nothing of another workspace", async () => {
  const publisher = await aPublisher(service);
  const edited = await anApprovedAd(service, publisher);
  const pending = await aPendingAd(service, publisher);
  await submit(edited);
  const before = await queueOf(publisher);
  await endSubscriptions(service, [edited.id, pending.id]);

  expect(before.total).toBe(2);
  expect(await queueOf(publisher)).toMatchObject({ total: 0, ads: 0, revisions: 0, items: [] });
  expect((await queueOf(await aPublisher(service))).items).toEqual([]);
  const page = await edited.checkout.caller.request(
    "GET",
    `/advertise/${publisher.workspace.slug}/checkout/${edited.checkout.sessionId}`,
  );
  expect(page.text).toContain("This placement has ended, so your edit won&#39;t be reviewed.");
  expect(page.text).not.toContain("is reviewing your edit");
});

it("shows with a resubmission the publisher's note and the submission that it was about, until the decision", async () => {
  const publisher = await aPublisher(service);
  const { caller } = publisher;
  const pending = await aPendingAd(service, publisher);
  const get = () => caller.ok(ad, "GET", pending.path);
  await submit(pending, { ...proposed, name: "Judged" });
  const fresh = await get();
  await caller.ok(ad, "POST", `${pending.path}/request-changes`, { note });
  const asked = await get();
  await submit(pending, { ...proposed, name: "Better" });
  const again = await get();
  await submit(pending, { ...proposed, name: "Better still" });
  const twice = await get();
  const approved = await caller.ok(ad, "POST", `${pending.path}/approve`);

  const previous = { note, name: "Judged", websiteUrl: proposed.websiteUrl, meta: [] };
  expect([fresh.previous, asked.previous]).toEqual([null, null]);
  expect(again).toMatchObject({ name: "Better", rejectionNote: null, previous });
  expect(twice).toMatchObject({ name: "Better still", previous });
  expect(approved.previous).toBeNull();
});

it("does so for edits, and forgets it with a rejected edit", async () => {
  const publisher = await aPublisher(service);
  const { caller } = publisher;
  const running = await anApprovedAd(service, publisher);
  const get = () => caller.ok(revision, "GET", `${running.path}/revision`);
  await submit(running, { ...proposed, name: "Judged" });
  await caller.ok(revision, "POST", `${running.path}/revision/request-changes`, { note });
  await submit(running, { ...proposed, name: "Better" });
  const again = await get();
  const answer = await caller.ok(revision, "POST", `${running.path}/revision/request-changes`, {
    note: "Shorter.",
  });
  await submit(running, { ...proposed, name: "Short" });
  const short = await get();
  await caller.ok(ad, "POST", `${running.path}/revision/reject`, { note });
  await submit(running, { ...proposed, name: "New" });

  expect(again.previous).toMatchObject({ note, name: "Judged" });
  expect(answer.previous).toBeNull();
  expect(short.previous).toMatchObject({ note: "Shorter.", name: "Better" });
  expect((await get()).previous).toBeNull();
});
