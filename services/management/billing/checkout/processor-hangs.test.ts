import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { aMember, anApprovedAd, aPendingAd, aPublisher } from "../../tests/story.ts";
import { aSubscriptionEvent, deliver } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand", processorTimeoutMs: 4_000 });
const { processor } = service;
const publisher = await aPublisher(service);
const { caller, path } = publisher;

/** More than there are connections; of a workspace six are at work at a time. */
const CALLS = 12;

/** So many webhooks are applied at a time. */
const JOBS_AT_A_TIME = 4;

it("answers other requests while more calls wait for the processor than there are connections", async () => {
  const sellers = [publisher, await aPublisher(service, "Other Weekly")];
  const ads = await Promise.all(
    Array.from({ length: CALLS }, async (_, n) => {
      const seller = sellers[n % 2] ?? publisher;
      return { seller, path: (await anApprovedAd(service, seller)).path };
    }),
  );
  const reader = await aMember(service, publisher, "Viewer");
  let answered = 0;

  const statuses = await processor.while("silent", async () => {
    const pauses = ads.map(async (running) => {
      const { status } = await running.seller.caller.request("POST", `${running.path}/pause`);
      answered += 1;
      return status;
    });
    await vi.waitFor(() => expect(processor.ignored()).toBeGreaterThanOrEqual(CALLS), { timeout: 20_000 });
    const list = await reader.caller.request("GET", `${path}/ads`);
    expect(list.status).toBe(200);
    expect(answered).toBe(0);
    return await Promise.all(pauses);
  });

  expect(new Set(statuses)).toEqual(new Set([502]));
  for (const { seller, path: running } of ads) {
    expect((await seller.caller.ok(ad, "POST", `${running}/pause`)).subscription.status).toBe("Paused");
  }
});

it("publishes other changes while webhooks wait for the processor", async () => {
  const pending = await aPendingAd(service, publisher);
  const [one] = (await processor.stripe.subscriptions.list({ limit: 1 })).data;
  if (one === undefined) throw new Error("the processor has no subscription");
  const before = processor.ignored();

  await processor.while("silent", async () => {
    await Promise.all(Array.from({ length: 8 }, () => deliver(service, aSubscriptionEvent(one))));
    await vi.waitFor(
      () => expect(processor.ignored()).toBeGreaterThanOrEqual(before + JOBS_AT_A_TIME),
      20_000,
    );
    await caller.ok(ad, "POST", `${pending.path}/approve`);
    await vi.waitFor(async () => {
      const snapshot = await service.placements.read(publisher.workspace.id);
      expect(snapshot?.ads.map(({ id }) => id)).toContain(pending.id);
    }, 20_000);
  });
});

it("lets a second change wait for the first, and judges it by the resulting state", async () => {
  const running = await anApprovedAd(service, publisher);
  const held = processor.holdNextAnswer();
  const first = caller.request("POST", `${running.path}/pause`);
  await held.given;

  const second = caller.request("POST", `${running.path}/pause`);
  const reject = caller.request("POST", `${running.path}/reject`, { note: "Not for our readers." });
  held.release();
  const answers = await Promise.all([first, second, reject]);

  expect(answers.map(({ status }) => status)).toEqual([200, 409, 200]);
  expect(await actionsOn(service, running.id)).toEqual(["ad.submit", "ad.approve", "ad.pause", "ad.reject"]);
});

it("answers 409 to a change that waits too long, and leaves nothing half done", async () => {
  const running = await anApprovedAd(service, publisher);
  await service.database.pool.query(
    "update subscriptions set claim = 'of a killed process', claimed_until = now() + interval '1 minute' where id = $1",
    [running.subscription.id],
  );

  const refused = await caller.refused(409, "POST", `${running.path}/pause`);
  await service.database.pool.query("update subscriptions set claimed_until = now() where id = $1", [
    running.subscription.id,
  ]);
  const paused = await caller.ok(ad, "POST", `${running.path}/pause`);

  expect(refused.data).toMatchObject({
    formErrors: ["Another change of this ad is under way."],
    reason: "CHANGE_UNDER_WAY",
  });
  expect(paused.subscription.status).toBe("Paused");
});
