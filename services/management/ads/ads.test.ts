import { expect, it, vi } from "vitest";
import { ad, adStats, listedAd } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { pageOf } from "#libs/contract/query.ts";
import { newId } from "#libs/domain/ids.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPaidCheckout, aPendingAd, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement({ stats: "real", unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;

async function servedIds(): Promise<string[]> {
  const snapshot = await service.placements.read(publisher.workspace.id);
  const now = Date.now();
  return (snapshot?.ads ?? [])
    .filter((one) => one.servingSince !== null && (one.servingUntil === null || one.servingUntil > now))
    .map((one) => one.id);
}

it("takes an ad from submission by approval to serving, and tells serving of it", async () => {
  const pending = await aPendingAd(service, publisher);
  expect(pending.status).toBe("Pending");
  expect(await servedIds()).not.toContain(pending.id);

  const approved = await caller.ok(ad, "POST", `${pending.path}/approve`);

  expect(approved).toMatchObject({
    status: "Approved",
    rejectionNote: null,
    subscription: { status: "Active" },
  });
  expect(approved.reviewedAt).not.toBeNull();
  await vi.waitFor(async () => expect(await servedIds()).toContain(pending.id), { timeout: 3000 });
});

it("lists ads newest first and by review status, without their field values", async () => {
  const approved = await anApprovedAd(service, publisher);
  const pending = await aPendingAd(service, publisher);

  const all = await caller.ok(pageOf(listedAd), "GET", `${path}/ads?perPage=2`);
  const onlyPending = await caller.ok(pageOf(listedAd), "GET", `${path}/ads?status=Pending&perPage=100`);

  expect(all.items.map((one) => one.id)).toEqual([pending.id, approved.id]);
  expect(onlyPending.items.every((one) => one.status === "Pending")).toBe(true);
  expect(onlyPending.items.map((one) => one.id)).toContain(pending.id);
});

it("lets one of racing approvals win and answers the others with a conflict", async () => {
  const pending = await aPendingAd(service, publisher);

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => caller.request("POST", `${pending.path}/approve`)),
  );

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
});

it("keeps a note with requested changes and clears it with the next submission", async () => {
  const pending = await aPendingAd(service, publisher);

  const asked = await caller.ok(ad, "POST", `${pending.path}/request-changes`, {
    note: "  A clearer name, please.  ",
  });
  const again = await pending.checkout.caller.ok(submittedAd, "POST", `${pending.checkout.path}/ad`, {
    name: "Example Coffee Roasters",
    websiteUrl: "https://coffee.example/beans",
  });

  expect(asked).toMatchObject({
    status: "Pending",
    rejectionNote: "A clearer name, please.",
    reviewedAt: null,
  });
  expect(again).toMatchObject({ id: pending.id, name: "Example Coffee Roasters", rejectionNote: null });
});

it("rejects with a note, cancels the subscription and takes no further submission", async () => {
  const approved = await anApprovedAd(service, publisher);

  const rejected = await caller.ok(ad, "POST", `${approved.path}/reject`, { note: "Not for our readers." });

  expect(rejected).toMatchObject({
    status: "Rejected",
    rejectionNote: "Not for our readers.",
    subscription: { status: "Canceled" },
  });
  await vi.waitFor(async () => expect(await servedIds()).not.toContain(approved.id), { timeout: 3000 });
  const { data } = await approved.checkout.caller.refused(409, "POST", `${approved.checkout.path}/ad`, {
    name: "Again",
    websiteUrl: "https://coffee.example",
  });
  expect(data?.formErrors).toEqual(["The ad was rejected and takes no further submission."]);
});

it("pauses a serving ad with its billing and resumes it", async () => {
  const approved = await anApprovedAd(service, publisher);

  const paused = await caller.ok(ad, "POST", `${approved.path}/pause`);
  await vi.waitFor(async () => expect(await servedIds()).not.toContain(approved.id), { timeout: 3000 });
  const twice = await caller.refused(409, "POST", `${approved.path}/pause`);
  const resumed = await caller.ok(ad, "POST", `${approved.path}/resume`);
  const pausedAgain = await caller.ok(ad, "POST", `${approved.path}/pause`);

  expect(paused).toMatchObject({ status: "Approved", subscription: { status: "Paused" } });
  expect(twice).toMatchObject({ code: "CONFLICT_FIELD", message: "CONFLICT_FIELD", defined: true });
  expect(resumed.subscription.status).toBe("Active");
  expect(pausedAgain.subscription.status).toBe("Paused");
});

it("answers 422 for a bad note and 404 for an ad that is none of the workspace's", async () => {
  const pending = await aPendingAd(service, publisher);
  const neighbour = await aPublisher(service, "Another Weekly");

  for (const body of [
    {},
    { note: "" },
    { note: "   " },
    { note: "x".repeat(501) },
    { note: 5 },
    { note: "a\u0000b" },
    { note: "\ud800" },
  ]) {
    expect(await caller.invalid("POST", `${pending.path}/reject`, body)).toEqual(["note"]);
  }
  for (const id of [newId("ad"), "ad_1", "%00", "%ff", "ad_%ed%a0%80", publisher.workspace.id]) {
    await caller.refused(404, "POST", `${path}/ads/${id}/approve`);
  }
  await neighbour.caller.refused(404, "GET", `${neighbour.path}/ads/${pending.id}`);
  await neighbour.caller.refused(403, "GET", pending.path);
});

it("shows zero-filled stats of the window, today included", async () => {
  const approved = await anApprovedAd(service, publisher);

  const stats = await caller.ok(adStats, "GET", `${approved.path}/stats?days=3`);

  expect(stats.rows).toHaveLength(3);
  expect(stats.rows[2]?.date.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
  expect(stats.totals).toEqual({ impressions: 0, clicks: 0 });
  for (const days of ["0", "366", "1.5", "x", ""]) {
    await caller.refused(422, "GET", `${approved.path}/stats?days=${days}`);
  }
});

it("takes a submission only once the checkout is paid", async () => {
  const sold = await aTier(publisher);
  const session = JSON.parse(
    (await caller.request("POST", `${path}/checkout-sessions`, { tierPriceId: sold.prices[0]?.id })).text,
  );

  const { data } = await caller.refused(409, "POST", `/v1/checkout-sessions/${session.sessionId}/ad`, {
    name: "Too early",
    websiteUrl: "https://coffee.example",
  });

  expect(data?.formErrors).toEqual(["The ad can be submitted once the checkout is paid."]);
});

it("lets racing submissions of one checkout make one ad", async () => {
  const sold = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  const body = { name: "Example Coffee", websiteUrl: "https://coffee.example" };

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, body)),
  );

  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
});

it("refuses what the state does not allow with 409, one sentence for people and a reason for programs", async () => {
  const pending = await aPendingAd(service, publisher);
  const approved = await anApprovedAd(service, publisher);

  const rejected = await aPendingAd(service, publisher);
  await caller.ok(ad, "POST", `${rejected.path}/reject`, { note: "No." });

  for (const [call, reason, said] of [
    [`${pending.path}/pause`, "AD_NOT_SERVING", "Only an ad that is serving can be paused."],
    [`${pending.path}/resume`, "AD_NOT_PAUSED", "Only a paused ad can be resumed."],
    [`${approved.path}/resume`, "AD_NOT_PAUSED", "Only a paused ad can be resumed."],
    [`${approved.path}/approve`, "AD_ALREADY_APPROVED", "Only a pending ad can be approved."],
    [`${rejected.path}/approve`, "AD_REJECTED", "Only a pending ad can be approved."],
    [
      `${approved.path}/request-changes`,
      "AD_ALREADY_APPROVED",
      "Changes can only be requested while the ad is pending.",
    ],
  ] as const) {
    const body = call.endsWith("/request-changes") ? { note: "Shorter." } : {};
    const { data } = await caller.refused(409, "POST", call, body);
    expect(data).toMatchObject({ formErrors: [said], fieldErrors: {}, reason });
  }
});

it("resumes to Trialing inside a trial", async () => {
  const trialing = await aTrialingAd();

  const paused = await caller.ok(ad, "POST", `${trialing}/pause`);
  const resumed = await caller.ok(ad, "POST", `${trialing}/resume`);

  expect([paused.subscription.status, resumed.subscription.status]).toEqual(["Paused", "Trialing"]);
});

/** An approved ad on a subscription whose trial still runs, as a coupon or the processor's dashboard can give one. */
async function aTrialingAd(): Promise<string> {
  const { stripe } = service.processor;
  const bought = await anApprovedAd(service, publisher);
  const priceId = bought.tier.prices[0]?.id ?? "";
  const metadata = { workspaceId: publisher.workspace.id, tierPriceId: priceId };
  const { provider_price_id } = await service.database.db
    .selectFrom("prices")
    .where("id", "=", priceId)
    .select("provider_price_id")
    .executeTakeFirstOrThrow();
  const { id } = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: provider_price_id ?? "", quantity: 1 }],
    success_url: "https://weekly.example",
    metadata,
    subscription_data: { trial_period_days: 14, metadata },
  });
  await service.database.db
    .insertInto("checkout_sessions")
    .values({ id, workspace_id: publisher.workspace.id, price_id: priceId })
    .execute();
  await bought.checkout.caller.request("POST", `/sandbox/checkout/${id}/complete`, {
    email: "trial@example.com",
  });
  const submitted = await bought.checkout.caller.ok(submittedAd, "POST", `/v1/checkout-sessions/${id}/ad`, {
    name: "On trial",
    websiteUrl: "https://coffee.example",
  });
  const approved = await caller.ok(ad, "POST", `${path}/ads/${submitted.id}/approve`);
  expect(approved.subscription.status).toBe("Trialing");
  return `${path}/ads/${submitted.id}`;
}
