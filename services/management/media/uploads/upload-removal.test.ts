import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPublisher } from "../../tests/story.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";
import { holdUploads, storeOwnFile } from "./records.ts";
import { removeUnusedUploads } from "./removal.ts";

const HOUR_MS = 60 * 60_000;
const service = await startManagement({ unlimited: true });
const { services, database } = service;
const { db, pool } = database;

/** Does what the daily sweep does, so long from now. */
async function removeAfter(hours: number): Promise<void> {
  await removeUnusedUploads({ ...services, now: () => Date.now() + hours * HOUR_MS });
}

async function areThere(...keys: string[]): Promise<boolean[]> {
  return await Promise.all(keys.map(async (key) => (await services.uploads.find(key)) !== null));
}

it("removes an advertiser's upload that nothing uses for six hours, and not before", async () => {
  const campaign = await aLogoCampaign(service);
  const { key } = await campaign.upload();
  const never = await campaign.grant();

  await removeAfter(5.9);
  const before = await areThere(key);
  await removeAfter(6.1);

  expect([before, await areThere(key)]).toEqual([[true], [false]]);
  const left = await db.selectFrom("uploads").where("key", "in", [key, never.key]).select("key").execute();
  expect(left).toEqual([]);
});

it("keeps what an ad, a revision, a field, a favicon, a workspace, its logo or a text uses, for as long as it does", async () => {
  const campaign = await aLogoCampaign(service);
  const { caller, path, workspace } = campaign.publisher;
  const [shown, proposed, byDefault, icon, ofSite, inText, logo] = await Promise.all(
    Array.from({ length: 7 }, () => campaign.upload()),
  );
  const keys = [shown, proposed, byDefault, icon, ofSite, inText, logo].map((grant) => grant?.key ?? "");
  const { id } = await campaign.submit(shown?.publicUrl);
  await caller.ok(ad, "POST", `${path}/ads/${id}/approve`);
  await campaign.submit(proposed?.publicUrl);
  await aField(campaign.publisher, { name: "Badge", type: "Image", default: byDefault?.publicUrl });
  await aField(campaign.publisher, { name: "Terms", type: "Textarea", default: `See ${inText?.publicUrl}.` });
  await db
    .updateTable("ads")
    .set({ favicon_url: icon?.publicUrl ?? null })
    .where("id", "=", id)
    .execute();
  await db
    .updateTable("workspaces")
    .set({ favicon_url: ofSite?.publicUrl ?? null })
    .where("id", "=", workspace.id)
    .execute();

  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, {
    mediaKit: { logoUrl: logo?.publicUrl },
  });

  await removeAfter(25);
  const used = await areThere(...keys);
  await caller.ok(ad, "POST", `${path}/ads/${id}/revision/reject`, { note: "Not this one." });
  await removeAfter(24 * 3);

  expect(used).toEqual(keys.map(() => true));
  expect(await areThere(...keys)).toEqual([true, false, true, true, true, true, true]);
});

it("leaves an upload alone that a submission is about to use", async () => {
  const campaign = await aLogoCampaign(service);
  const { key } = await campaign.upload();

  await db.transaction().execute(async (trx) => {
    await holdUploads(trx, campaign.publisher.workspace.id, [key]);
    await removeAfter(25);
  });
  const held = await areThere(key);
  await removeAfter(25);

  expect([held, await areThere(key)]).toEqual([[true], [false]]);
});

it("lets a submission wait for a removal under way, and refuses it then", async () => {
  const campaign = await aLogoCampaign(service);
  const { key, publicUrl } = await campaign.upload();
  const removal = await pool.connect();
  await removal.query("begin");
  await removal.query("select from uploads where key = $1 for update", [key]);

  const refusing = campaign.refuse(publicUrl);
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    expect(rows.length).toBeGreaterThan(0);
  }, 20_000);
  await services.uploads.remove([key]);
  await removal.query("delete from uploads where key = $1", [key]);
  await removal.query("commit");
  removal.release();

  expect(Object.keys((await refusing).data?.fieldErrors ?? {})).toEqual(["meta.logo"]);
});

it("stores a removed file of ours again under its old key", async () => {
  const workspaceId = (await aPublisher(service)).workspace.id;
  const file = { workspaceId, contentType: "image/png", bytes: A_PIXEL } as const;
  const first = (await storeOwnFile(services, file, { isFree: false, sessionId: null })) ?? "";
  const key = services.uploads.locate(first)?.key ?? "";
  await removeAfter(25);
  const removed = await areThere(key);

  const second = await storeOwnFile(services, file, { isFree: false, sessionId: null });

  expect(removed).toEqual([false]);
  expect(second).toBe(first);
  expect(await areThere(key)).toEqual([true]);
});

it("works through several batches, and checks used uploads only once per day", async () => {
  const campaign = await aLogoCampaign(service);
  const { publicUrl, key } = await campaign.upload();
  await campaign.submit(publicUrl);
  const { caller, path } = campaign.publisher;
  const file = { fileName: "logo.png", contentType: "image/png", contentLength: 10 };
  const grants = await Promise.all(
    Array.from({ length: 120 }, () => caller.ok(uploadGrant, "POST", `${path}/uploads`, file)),
  );

  await removeAfter(25);

  const left = await db
    .selectFrom("uploads")
    .where("workspace_id", "=", campaign.publisher.workspace.id)
    .select(["key", "due_at"])
    .execute();
  expect(grants).toHaveLength(120);
  expect(left.map((row) => row.key)).toEqual([key]);
  expect(left[0]?.due_at.getTime()).toBeGreaterThan(Date.now() + 48 * HOUR_MS);
});

it("keeps the files of a submission that changes were requested of until the next decision", async () => {
  const campaign = await aLogoCampaign(service);
  const { caller, path } = campaign.publisher;
  const [judged, better] = [await campaign.upload(), await campaign.upload()];
  const { id } = await campaign.submit(judged.publicUrl);
  await caller.ok(ad, "POST", `${path}/ads/${id}/request-changes`, { note: "Larger, please." });
  await campaign.submit(better.publicUrl);

  await removeAfter(2);
  const before = await areThere(judged.key, better.key);
  await caller.ok(ad, "POST", `${path}/ads/${id}/approve`);
  await removeAfter(50);

  expect([before, await areThere(judged.key, better.key)]).toEqual([
    [true, true],
    [false, true],
  ]);
});

it("removes the files of a draft within two hours once another has replaced it, of an ad or of a revision", async () => {
  const campaign = await aLogoCampaign(service);
  const { caller, path } = campaign.publisher;
  const [first, second, third, fourth] = [
    await campaign.upload(),
    await campaign.upload(),
    await campaign.upload(),
    await campaign.upload(),
  ];

  const { id } = await campaign.submit(first.publicUrl);
  await campaign.submit(second.publicUrl);
  await caller.ok(ad, "POST", `${path}/ads/${id}/approve`);
  await campaign.submit(third.publicUrl);
  await campaign.submit(fourth.publicUrl);

  const keys = [first, second, third, fourth].map(({ key }) => key);
  await removeAfter(0.9);
  const before = await areThere(...keys);
  await removeAfter(1.1);
  expect([before, await areThere(...keys)]).toEqual([
    [true, true, true, true],
    [false, true, false, true],
  ]);
  const { rows } = await pool.query(
    "select run_at from graphile_worker.jobs where task_identifier = 'unused-uploads'",
  );
  const runs = rows.map(({ run_at }) => run_at.getTime());
  expect(Math.min(...runs)).toBeLessThan(Date.now() + 2 * HOUR_MS);
});
