import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { actionsOn } from "../tests/audit-trail.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";
import { applied, aSubscriptionEvent, deliver } from "../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { stripe } = service.processor;
const publisher = await aPublisher(service);
const { caller } = publisher;
const note = { note: "Not for our readers." };

/** Enough for both orders to come up. */
const TURNS = 6;

async function newestSubscription() {
  const [newest] = (await stripe.subscriptions.list({ limit: 1, status: "all" })).data;
  if (newest === undefined) throw new Error("the processor has no subscription");
  return newest;
}

it("lets one of two racing resumes win and answers the other with 409", async () => {
  const running = await anApprovedAd(service, publisher);
  await caller.ok(ad, "POST", `${running.path}/pause`);

  const answers = await Promise.all([
    caller.request("POST", `${running.path}/resume`),
    caller.request("POST", `${running.path}/resume`),
  ]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await actionsOn(service, running.id)).toEqual(["ad.submit", "ad.approve", "ad.pause", "ad.resume"]);
  expect((await newestSubscription()).pause_collection).toBeNull();
});

it("ends rejected and canceled when pause races reject, whichever is first", async () => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const running = await anApprovedAd(service, publisher);

    const [pause, reject] = await Promise.all([
      caller.request("POST", `${running.path}/pause`),
      caller.request("POST", `${running.path}/reject`, note),
    ]);

    expect(reject.status).toBe(200);
    expect([200, 409]).toContain(pause.status);
    const after = await caller.ok(ad, "GET", running.path);
    expect(after).toMatchObject({ status: "Rejected", subscription: { status: "Canceled" } });
    expect((await newestSubscription()).status).toBe("canceled");
    expect(await actionsOn(service, running.id)).toEqual([
      "ad.submit",
      "ad.approve",
      ...(pause.status === 200 ? ["ad.pause"] : []),
      "ad.reject",
    ]);
  }
});

it("ends rejected when approve races reject, whichever is first", async () => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const pending = await aPendingAd(service, publisher);

    const [approve, reject] = await Promise.all([
      caller.request("POST", `${pending.path}/approve`),
      caller.request("POST", `${pending.path}/reject`, note),
    ]);

    expect(reject.status).toBe(200);
    expect([200, 409]).toContain(approve.status);
    const after = await caller.ok(ad, "GET", pending.path);
    expect(after).toMatchObject({ status: "Rejected", rejectionNote: note.note });
  }
});

it("ends in the processor's state when pause races webhooks", async () => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const running = await anApprovedAd(service, publisher);
    const { id } = await newestSubscription();
    const stale = aSubscriptionEvent(await stripe.subscriptions.retrieve(id));
    const canceling = aSubscriptionEvent(
      await stripe.subscriptions.update(id, { cancel_at_period_end: true }),
    );

    const [pause] = await Promise.all([
      caller.request("POST", `${running.path}/pause`),
      deliver(service, stale),
      deliver(service, canceling),
    ]);
    await applied(service, stale.id, canceling.id);

    expect(pause.status).toBe(200);
    const { subscription } = await caller.ok(ad, "GET", running.path);
    expect(subscription).toMatchObject({ status: "Paused", cancelAtPeriodEnd: true });
  }
});
