import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { revision } from "#libs/contract/revisions.ts";
import { auditTrail } from "../tests/audit-trail.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller } = publisher;

it("records each decision on an ad with who made it and what changed", async () => {
  const pending = await aPendingAd(service, publisher);

  await caller.ok(ad, "POST", `${pending.path}/request-changes`, { note: "Shorter." });
  await publisher.person.caller.ok(ad, "POST", `${pending.path}/approve`);
  await caller.ok(ad, "POST", `${pending.path}/pause`);
  await caller.ok(ad, "POST", `${pending.path}/resume`);
  await caller.ok(ad, "POST", `${pending.path}/reject`, { note: "No." });

  const key = { actor_kind: "key", actor_id: publisher.key.id, actor_name: "Integration" };
  expect(await auditTrail(service, pending.id)).toEqual([
    expect.objectContaining({
      workspace_id: publisher.workspace.id,
      actor_kind: "advertiser",
      actor_id: null,
      actor_name: "Example Coffee",
      action: "ad.submit",
      before: null,
      after: { name: "Example Coffee", websiteUrl: "https://coffee.example", meta: [], status: "Pending" },
    }),
    expect.objectContaining({
      ...key,
      action: "ad.request-changes",
      before: { rejectionNote: null },
      after: { rejectionNote: "Shorter." },
    }),
    expect.objectContaining({
      actor_kind: "person",
      actor_name: publisher.person.name,
      action: "ad.approve",
      before: { status: "Pending", reviewedAt: null, rejectionNote: "Shorter." },
      after: { status: "Approved", reviewedAt: expect.any(String), rejectionNote: null },
    }),
    expect.objectContaining({
      ...key,
      action: "ad.pause",
      before: { subscription: { status: "Active" } },
      after: { subscription: { status: "Paused" } },
    }),
    expect.objectContaining({
      ...key,
      action: "ad.resume",
      before: { subscription: { status: "Paused" } },
      after: { subscription: { status: "Active" } },
    }),
    expect.objectContaining({
      ...key,
      action: "ad.reject",
      before: expect.objectContaining({ status: "Approved", subscription: { status: "Active" } }),
      after: expect.objectContaining({ rejectionNote: "No.", subscription: { status: "Canceled" } }),
    }),
  ]);
});

it("records what an advertiser proposes and what becomes of it", async () => {
  const running = await anApprovedAd(service, publisher);
  const propose = (name: string) =>
    running.checkout.caller.request("POST", `${running.checkout.path}/ad`, {
      name,
      websiteUrl: "https://coffee.example",
    });

  await propose("First");
  await caller.ok(revision, "POST", `${running.path}/revision/request-changes`, { note: "Shorter." });
  await propose("Second");
  await caller.ok(ad, "POST", `${running.path}/revision/approve`);

  const trail = (await auditTrail(service, running.id)).slice(2);
  expect(trail.map(({ action, actor_kind, before, after }) => [action, actor_kind, before, after])).toEqual([
    ["revision.submit", "advertiser", null, expect.objectContaining({ name: "First", note: null })],
    ["revision.request-changes", "key", { note: null }, { note: "Shorter." }],
    ["revision.submit", "advertiser", { name: "First", note: "Shorter." }, { name: "Second", note: null }],
    [
      "revision.approve",
      "key",
      expect.objectContaining({ name: "Example Coffee" }),
      expect.objectContaining({ name: "Second" }),
    ],
  ]);
});

it("records nothing of what was refused", async () => {
  const pending = await aPendingAd(service, publisher);
  const before = await auditTrail(service, pending.id);

  await caller.refused(409, "POST", `${pending.path}/pause`);
  await caller.refused(409, "POST", `${pending.path}/resume`);
  await caller.refused(422, "POST", `${pending.path}/reject`, { note: "" });
  await caller.refused(409, "POST", `${pending.path}/revision/approve`);

  expect(await auditTrail(service, pending.id)).toEqual(before);
});
