import { expect, it, onTestFinished, vi } from "vitest";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { startManagement } from "../../tests/management.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";
import { refreshAllRecords } from "./arrivals.ts";
import { storeOwnFile } from "./records.ts";
import { removeUnusedUploads } from "./removal.ts";

const MINUTE_MS = 60_000;
const QUOTA = 1024 * 1024;
/** A fifth of the quota. */
const FIFTH = 200_000;
/** Less than an eighth of the quota. */
const SMALL = 100;
/** What a file counts at least. */
const LEAST_COUNTED = 16 * 1024;
/** Two for the one image field, and twenty. */
const MOST_UNUSED = 22;
const NO_ROOM = "The workspace has no room for this file: its uploads may take 1 MiB in all.";
const NO_ROOM_FOR_ADVERTISERS =
  "The workspace has no room for this file: its uploads may take 1 MiB in all, a fifth of it for the publisher alone.";
const tooMany = (count: number) =>
  `This checkout has ${count} uploads that its ad does not use as images. Submit the ad, or try again when the unused ones have been removed.`;
let passed = 0;
let freeShare = 1;
const service = await startManagement({
  unlimited: true,
  uploadQuotaBytes: QUOTA,
  now: () => Date.now() + passed,
  freeShare: () => freeShare,
});
const { services, database } = service;

type Campaign = Awaited<ReturnType<typeof aLogoCampaign>>;

/** Asks for a grant; the status of the answer. */
async function ask(campaign: Campaign, who: "publisher" | "advertiser", contentLength: number) {
  const { caller, path } = campaign[who === "publisher" ? "publisher" : "checkout"];
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  return await caller.request("POST", `${path}/uploads`, body);
}

async function recordedKeys(campaign: Campaign): Promise<string[]> {
  const rows = await database.db
    .selectFrom("uploads")
    .where("workspace_id", "=", campaign.publisher.workspace.id)
    .select("key")
    .orderBy("granted_at")
    .execute();
  return rows.map(({ key }) => key);
}

it("lets a checkout have two unused files per image field and twenty more, however many it asks for at once", async () => {
  const campaign = await aLogoCampaign(service);

  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(campaign, "advertiser", 10)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(MOST_UNUSED);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
  expect(refused[0]?.text).toContain(tooMany(MOST_UNUSED));
  expect((await ask(campaign, "publisher", 10)).status).toBe(200);
});

it("makes room for another file when one is used, when a grant has run out, and when unused ones are removed", async () => {
  const campaign = await aLogoCampaign(service);
  for (let open = 1; open < MOST_UNUSED; open += 1) await ask(campaign, "advertiser", 10);
  const { publicUrl } = await campaign.upload();

  const afterArrival = await ask(campaign, "advertiser", 10);
  await campaign.submit(publicUrl);
  const afterUse = await ask(campaign, "advertiser", 10);
  const full = await ask(campaign, "advertiser", 10);
  passed += 7 * MINUTE_MS;
  const afterExpiry = await ask(campaign, "advertiser", 10);

  expect([afterArrival, afterUse, full, afterExpiry].map(({ status }) => status)).toEqual([
    409, 200, 409, 200,
  ]);
});

it("asks the store for no open grant, and for an expired one once, however many uploads are refused", async () => {
  const campaign = await aLogoCampaign(service);
  for (let open = 0; open < MOST_UNUSED; open += 1) await ask(campaign, "advertiser", 10);
  const looks = vi.spyOn(services.uploads, "find");
  onTestFinished(() => void vi.restoreAllMocks());
  const askAtOnce = () => Promise.all(Array.from({ length: 10 }, () => ask(campaign, "advertiser", 10)));

  const full = await askAtOnce();
  const whileOpen = looks.mock.calls.length;
  passed += 7 * MINUTE_MS;
  const afterExpiry = await askAtOnce();

  expect(new Set(full.map(({ status }) => status))).toEqual(new Set([409]));
  expect(new Set(afterExpiry.map(({ status }) => status))).toEqual(new Set([200]));
  expect([whileOpen, looks.mock.calls.length]).toEqual([0, MOST_UNUSED]);
});

it("lets the unused files of a checkout take an eighth of the quota, for six hours", async () => {
  const campaign = await aLogoCampaign(service);
  const other = await campaign.another();
  const half = Buffer.concat([A_PIXEL], QUOTA / 16);
  const { key } = await campaign.upload(half);
  await campaign.upload(half);

  const full = await ask(campaign, "advertiser", SMALL);
  const others = await ask({ ...campaign, checkout: other }, "advertiser", SMALL);
  passed += 6 * 60 * MINUTE_MS;
  await removeUnusedUploads(services);
  const later = await ask(campaign, "advertiser", SMALL);

  expect([full, others, later].map(({ status }) => status)).toEqual([409, 200, 200]);
  expect(full.text).toContain(tooMany(2));
  expect(await recordedKeys(campaign)).not.toContain(key);
});

it("keeps a fifth of the quota for the publisher, however many checkouts there are", async () => {
  const campaign = await aLogoCampaign(service);
  const checkouts = await Promise.all(Array.from({ length: 5 }, () => campaign.another()));

  const answers = [];
  for (const checkout of checkouts) answers.push(await ask({ ...campaign, checkout }, "advertiser", FIFTH));
  const publishers = await ask(campaign, "publisher", FIFTH);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
  expect(answers[4]?.text).toContain(NO_ROOM_FOR_ADVERTISERS);
  expect(publishers.status).toBe(200);
});

it("counts a small file as 16 KiB, so that grants of a byte end as well", async () => {
  const campaign = await aLogoCampaign(service);

  const statuses: number[] = [];
  for (let files = 0; files <= QUOTA / LEAST_COUNTED; files += 1)
    statuses.push((await ask(campaign, "publisher", 1)).status);

  expect(statuses.filter((status) => status === 200)).toHaveLength(QUOTA / LEAST_COUNTED);
  expect(statuses.at(-1)).toBe(409);
});

it("grants a publisher no more than the workspace's quota, however many ask at once", async () => {
  const campaign = await aLogoCampaign(service);
  const neighbour = await aLogoCampaign(service);

  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(campaign, "publisher", FIFTH)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.find(({ status }) => status !== 200);
  expect([refused?.status, JSON.parse(refused?.text ?? "{}")]).toEqual([
    409,
    {
      defined: true,
      code: "CONFLICT_FIELD",
      status: 409,
      message: "CONFLICT_FIELD",
      data: {
        formErrors: [NO_ROOM],
        fieldErrors: {},
        reason: "UPLOAD_QUOTA_REACHED",
        requestId: expect.any(String),
      },
    },
  ]);
  expect((await ask(neighbour, "publisher", FIFTH)).status).toBe(200);
});

it("counts a stored file until it is removed, and an unused grant until it expires", async () => {
  const campaign = await aLogoCampaign(service);
  const stored = Buffer.concat([A_PIXEL], FIFTH);
  const { key } = await campaign.upload(stored);
  for (let open = 0; open < 4; open += 1) await ask(campaign, "publisher", FIFTH);
  const full = await ask(campaign, "publisher", FIFTH);

  passed += 7 * MINUTE_MS;
  const whenRunOut = await ask(campaign, "publisher", 4 * FIFTH);
  const fullAgain = await ask(campaign, "publisher", FIFTH);

  expect([full, whenRunOut, fullAgain].map(({ status }) => status)).toEqual([409, 200, 409]);
  expect(await recordedKeys(campaign)).toEqual([key, uploadGrant.parse(JSON.parse(whenRunOut.text)).key]);
});

it("counts files of our own, and those from before lengths were on record once a day has passed", async () => {
  const campaign = await aLogoCampaign(service);
  const { workspace } = campaign.publisher;
  const older = await campaign.upload(Buffer.concat([A_PIXEL], FIFTH));
  await database.db.updateTable("uploads").set({ bytes: 0 }).where("key", "=", older.key).execute();
  passed += 7 * MINUTE_MS;

  await refreshAllRecords(services);
  const icon = {
    workspaceId: workspace.id,
    contentType: "image/x-icon",
    bytes: Buffer.alloc(FIFTH, 1),
  } as const;
  await storeOwnFile(services, icon, { isFree: true, sessionId: null });

  const answers = [await ask(campaign, "publisher", 3 * FIFTH), await ask(campaign, "publisher", FIFTH)];
  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
});

it.each(["publisher", "advertiser"] as const)(
  "answers a %s 503 while less than a twentieth of the disk is free, and records nothing",
  async (who) => {
    const campaign = await aLogoCampaign(service);

    freeShare = 0.049;
    const low = await ask(campaign, who, 10);
    const recorded = await recordedKeys(campaign);
    freeShare = 0.05;
    const enough = await ask(campaign, who, 10);

    expect([low.status, JSON.parse(low.text).code, recorded]).toEqual([503, "SERVICE_UNAVAILABLE", []]);
    expect(enough.status).toBe(200);
  },
);
