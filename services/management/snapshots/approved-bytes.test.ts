import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { tier } from "#libs/contract/tiers.ts";
import { MOST_APPROVED_BYTES } from "#libs/domain/value-bytes.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { startManagement } from "../tests/management.ts";
import {
  aField,
  anApprovedAd,
  aPendingAd,
  aPublisher,
  aTier,
  endSubscriptions,
  type Publisher,
} from "../tests/story.ts";
import { approvedBytes, warnOfLarge } from "./approved-bytes.ts";

const service = await startManagement({ unlimited: true });
const { pool, db } = service.database;
const SENTENCE =
  "The ads of a workspace may take 16 MiB together, and with this one they would take more. Ask for shorter texts, or wait until others have been off the air for an hour.";
const UTM_SENTENCE =
  "The ads of a workspace may take 16 MiB together, and with these UTM parameters they would take more. Choose something shorter.";

/** A workspace with an approved ad from before there was a limit. */
async function aLargeWorkspace() {
  const publisher = await aPublisher(service);
  const story = await aField(publisher, { name: "Story", key: "story", type: "Textarea" });
  const running = await anApprovedAd(service, publisher);
  await pool.query("update ads set meta = jsonb_build_object($1::text, repeat('x', $2)) where id = $3", [
    story.id,
    MOST_APPROVED_BYTES,
    running.id,
  ]);
  return { publisher, running };
}

const setStatus = (adId: string, status: string) =>
  pool.query("update ads set status = $2 where id = $1", [adId, status]);

/** An ad that was approved before the workspace was full. */
async function anApprovedAdBefore(publisher: Publisher) {
  const pending = await aPendingAd(service, publisher);
  await setStatus(pending.id, "Approved");
  return pending;
}

const hasBeenOff = (adId: string, time: string) =>
  pool.query("update ads set serving_until = now() - $1::interval where id = $2", [time, adId]);

async function metaInSnapshot(workspaceId: string, adId: string) {
  const snapshot = await createSnapshotSource(db).loadSnapshot(workspaceId);
  return snapshot?.ads.find(({ id }) => id === adId)?.meta;
}

it("approves no ad beyond the bytes of a workspace, until others have been off the air for an hour", async () => {
  const { publisher, running } = await aLargeWorkspace();
  const pending = await aPendingAd(service, publisher);
  const approve = () => publisher.caller.refused(409, "POST", `${pending.path}/approve`);

  const onAir = await approve();
  await endSubscriptions(service, [running.id]);
  await hasBeenOff(running.id, "50 minutes");
  const justEnded = await approve();
  await setStatus(running.id, "Rejected");
  const justRejected = await approve();
  await hasBeenOff(running.id, "70 minutes");
  await publisher.caller.ok(ad, "POST", `${pending.path}/approve`);

  for (const { data } of [onAir, justEnded, justRejected]) {
    expect(data).toMatchObject({ reason: "LIMIT_REACHED", formErrors: [SENTENCE] });
  }
});

it("counts the address of the ad that is approved twice, with UTM parameters, as those of approved ads", async () => {
  const { publisher, running } = await aLargeWorkspace();
  const [pending, revised] = [await aPendingAd(service, publisher), await anApprovedAdBefore(publisher)];
  const { id } = publisher.workspace;
  const long = `https://coffee.example/${"a".repeat(1_000)}`;
  await pool.query("update workspaces set utm_source = $2 where id = $1", [id, "b".repeat(190)]);
  const leave = async (bytes: number) => {
    const taken = await approvedBytes(db, id);
    await pool.query(
      "update ads set meta = (select jsonb_object_agg(key, left(value, length(value) - $1::int)) from jsonb_each_text(meta)) where id = $2",
      [taken - MOST_APPROVED_BYTES + bytes, running.id],
    );
  };
  const revise = () =>
    pending.checkout.caller.request("POST", `${revised.checkout.path}/ad`, {
      name: "Example Coffee",
      websiteUrl: long,
    });
  await pool.query("update ads set website_url = $2 where id = $1", [pending.id, long]);
  await revise();

  // Enough for either with its address once and without UTM parameters.
  await leave(1_500);
  const approvals = [`${pending.path}/approve`, `${revised.path}/revision/approve`];
  for (const path of approvals) {
    const { data } = await publisher.caller.refused(409, "POST", path);
    expect(data).toMatchObject({ reason: "LIMIT_REACHED", formErrors: [SENTENCE] });
  }
  await leave(4_000);
  await publisher.caller.ok(ad, "POST", `${pending.path}/approve`);
});

it("counts addresses as snapshots have them, and no less for UTM parameters than they take", async () => {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);
  const { id } = publisher.workspace;
  const sizes = async () => {
    const snapshot = await createSnapshotSource(db).loadSnapshot(id);
    return { counted: await approvedBytes(db, id), taken: Buffer.byteLength(JSON.stringify(snapshot?.ads)) };
  };
  // With UTM parameters both addresses are the encoded one.
  await pool.query("update workspaces set utm_source = 'a' where id = $1", [id]);
  const before = await sizes();
  const more = async () => {
    const { counted, taken } = await sizes();
    return { counted: counted - before.counted, taken: taken - before.taken };
  };

  for (const address of [
    `https://example.com/${"💥".repeat(400)}`,
    `https://example.com/%20?a=b&c=(d)*${"漢".repeat(300)}`,
    `https://example.com/?q=${`"<>'`.repeat(400)}`,
  ]) {
    await pool.query("update ads set website_url = $2 where id = $1", [running.id, address]);
    const { counted, taken } = await more();
    expect(taken).toBeGreaterThan(2_000);
    expect(Math.abs(counted - taken), address).toBeLessThan(100);
  }
  for (const [source, name] of [
    ["新聞 (evening)", "Beans"],
    ["{ad}{ad}, {tier}", "豆".repeat(60)],
    ["{ad}".repeat(20), "💥".repeat(80)],
  ]) {
    await pool.query("update workspaces set utm_source = $2 where id = $1", [id, source]);
    await pool.query("update ads set name = $2, website_url = 'https://example.com' where id = $1", [
      running.id,
      name,
    ]);
    const { counted, taken } = await more();
    expect(counted).toBeGreaterThan(taken - 100);
    expect(counted).toBeLessThan(3 * taken + 100);
  }
});

it("takes no longer UTM parameters into a full workspace, and shorter ones", async () => {
  const { publisher } = await aLargeWorkspace();
  const path = `/v1/workspaces/${publisher.workspace.id}/settings`;
  await pool.query("update workspaces set utm_source = 'evening' where id = $1", [publisher.workspace.id]);

  const { data } = await publisher.caller.refused(409, "PATCH", path, { utm: { source: "eveningnews" } });
  const shorter = await publisher.caller.ok(workspaceSettings, "PATCH", path, { utm: { source: "news" } });

  expect(data).toMatchObject({ reason: "LIMIT_REACHED", formErrors: [UTM_SENTENCE] });
  expect(shorter.utm.source).toBe("news");
});

it("takes no longer name of a tier into a full workspace whose addresses have it, and a shorter one", async () => {
  const { publisher } = await aLargeWorkspace();
  const other = await anApprovedAdBefore(publisher);
  const { id: tierId } = other.tier;
  const path = `${publisher.path}/tiers/${tierId}`;
  const rename = (name: string) => publisher.caller.ok(tier, "PATCH", path, { name });

  await rename("Golden");
  await pool.query("update workspaces set utm_medium = 'from {tier}' where id = $1", [
    publisher.workspace.id,
  ]);
  const { data } = await publisher.caller.refused(409, "PATCH", path, { name: "Golden tier" });
  const shorter = await rename("Gold");
  const unsold = await aTier(publisher, { name: "Silver" });
  await publisher.caller.ok(tier, "PATCH", `${publisher.path}/tiers/${unsold.id}`, { name: "Silver tier" });

  expect(data).toMatchObject({
    reason: "LIMIT_REACHED",
    formErrors: [UTM_SENTENCE.replace("these UTM parameters", "this name in their addresses ({tier})")],
  });
  expect(shorter.name).toBe("Gold");
});

it("approves a revision that makes its ad smaller in a workspace that is over the bound", async () => {
  const { publisher } = await aLargeWorkspace();
  const other = await anApprovedAdBefore(publisher);
  const { caller, path } = other.checkout;
  await caller.ok(submittedAd, "POST", `${path}/ad`, {
    name: "Coffee",
    websiteUrl: "https://coffee.example",
  });

  const approved = await publisher.caller.ok(ad, "POST", `${other.path}/revision/approve`);

  expect(approved.name).toBe("Coffee");
});

it("takes no more of the publisher's own values into an approved ad then, and less", async () => {
  const { publisher } = await aLargeWorkspace();
  const note = await aField(publisher, { name: "Note", key: "note", isPublisherOnly: true });
  const other = await anApprovedAdBefore(publisher);
  const values = (value: string | null) => ({ meta: [{ fieldId: note.id, value }] });

  const { data } = await publisher.caller.refused(409, "PATCH", other.path, values("Confirmed by phone."));
  await publisher.caller.ok(ad, "PATCH", other.path, values(null));

  expect(data).toMatchObject({ reason: "LIMIT_REACHED", formErrors: [SENTENCE] });
});

it("leaves the values of what has been off the air for an hour out of snapshots", async () => {
  const { publisher, running } = await aLargeWorkspace();
  const pending = await aPendingAd(service, publisher);
  const { id } = publisher.workspace;

  const onAir = await metaInSnapshot(id, running.id);
  await hasBeenOff(running.id, "50 minutes");
  const justEnded = await metaInSnapshot(id, running.id);
  await hasBeenOff(running.id, "70 minutes");

  expect([onAir, justEnded].map((meta) => Object.keys(meta ?? {}))).toEqual([["story"], ["story"]]);
  expect(await metaInSnapshot(id, running.id)).toEqual({});
  // What nobody has approved is in no snapshot.
  expect(await metaInSnapshot(id, pending.id)).toBeUndefined();
});

it("names larger ones from before to the operator", async () => {
  const { publisher, running } = await aLargeWorkspace();
  const logger = pino({ level: "silent" });
  const warn = vi.spyOn(logger, "warn");

  await warnOfLarge(db, logger);

  const logged = JSON.stringify(warn.mock.calls);
  expect(logged).toContain(running.id);
  expect(logged).toContain(`{"workspace_id":"${publisher.workspace.id}","bytes":`);
});
