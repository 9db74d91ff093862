import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { field } from "#libs/contract/fields.ts";
import { newId } from "#libs/domain/ids.ts";
import { startManagement } from "../../tests/management.ts";
import { A_PIXEL, aLogoCampaign, aPngOfSize } from "../../tests/upload-story.ts";
import { requireSoundImages } from "./inspection.ts";

/** After this a look at a file no longer holds. */
const LONG_MS = 2 * 60 * 60_000;
let passed = 0;
const service = await startManagement({ unlimited: true, now: () => Date.now() + passed });

const UNUSABLE = "An image cannot be shown; the advertiser has to upload it again.";
const BAD_IMAGES = [
  [
    "would fill a browser's memory",
    aPngOfSize(50_000, 50_000),
    "The image has 50000 × 50000 pixels; no side may have over 8192, and all over 16777216.",
  ],
  ["has no pixels", aPngOfSize(0, 1), "The image has no pixels."],
  ["breaks off", A_PIXEL.subarray(0, 20), "The image is damaged: its size cannot be read."],
] as const;

describe("an uploaded image of an ad", () => {
  it("goes live with the ad when it is a valid image", async () => {
    const campaign = await aLogoCampaign(service);
    const { publicUrl } = await campaign.upload();
    const submitted = await campaign.submit(publicUrl);

    const { caller, path } = campaign.publisher;
    const approved = await caller.ok(ad, "POST", `${path}/ads/${submitted.id}/approve`);

    expect(approved.status).toBe("Approved");
    expect(approved.meta).toEqual([{ fieldId: campaign.logo.id, value: publicUrl }]);
  });

  it.each(BAD_IMAGES)("keeps the ad from being approved when it %s", async (_what, bytes, problem) => {
    const campaign = await aLogoCampaign(service);
    const { publicUrl } = await campaign.upload(bytes);
    const submitted = await campaign.submit(publicUrl);
    const { caller, path } = campaign.publisher;

    const refusal = await caller.refused(409, "POST", `${path}/ads/${submitted.id}/approve`);

    expect(refusal.data).toMatchObject({
      formErrors: [UNUSABLE],
      fieldErrors: { "meta.logo": [problem] },
      reason: "IMAGE_UNUSABLE",
    });
    expect((await caller.ok(ad, "GET", `${path}/ads/${submitted.id}`)).status).toBe("Pending");
  });

  it("keeps a revision from being approved, while the unchanged ad stays live", async () => {
    const campaign = await aLogoCampaign(service);
    const { caller, path } = campaign.publisher;
    const good = await campaign.upload();
    const { id } = await campaign.submit(good.publicUrl);
    await caller.ok(ad, "POST", `${path}/ads/${id}/approve`);
    await campaign.submit((await campaign.upload(aPngOfSize(9_000, 1))).publicUrl);

    const refusal = await caller.refused(409, "POST", `${path}/ads/${id}/revision/approve`);

    expect(Object.keys(refusal.data?.fieldErrors ?? {})).toEqual(["meta.logo"]);
    const now = await caller.ok(ad, "GET", `${path}/ads/${id}`);
    expect([now.status, now.meta]).toEqual([
      "Approved",
      [{ fieldId: campaign.logo.id, value: good.publicUrl }],
    ]);
    await caller.ok(ad, "POST", `${path}/ads/${id}/revision/reject`, { note: "Too wide." });
  });

  it("keeps the ad from being approved when its file is gone", async () => {
    const campaign = await aLogoCampaign(service);
    const { publicUrl, key } = await campaign.upload();
    const { id } = await campaign.submit(publicUrl);
    await service.services.uploads.remove([key]);
    passed += LONG_MS;
    const { caller, path } = campaign.publisher;

    const refusal = await caller.refused(409, "POST", `${path}/ads/${id}/approve`);

    expect(refusal.data?.fieldErrors).toEqual({
      "meta.logo": ["No image has been uploaded to this address."],
    });
  });

  it("keeps the ad from being approved when it is another one than was looked at", async () => {
    const campaign = await aLogoCampaign(service);
    const { publicUrl } = await campaign.upload();
    const { services, database } = service;
    const workspaceId = campaign.publisher.workspace.id;

    const approving = database.db.transaction().execute(async (trx) => {
      const content = { meta: { [campaign.logo.id]: publicUrl }, images_elsewhere: {} };
      await requireSoundImages(trx, services, workspaceId, content, new Map());
    });

    await expect(approving).rejects.toMatchObject({
      status: 409,
      data: { fieldErrors: { "meta.logo": ["The image was changed a moment ago. Look at it again."] } },
    });
  });
});

describe("a submission", () => {
  it("is refused at meta.<key> with an image that was never uploaded, or not here, and makes no ad", async () => {
    const campaign = await aLogoCampaign(service);
    const neighbour = await aLogoCampaign(service);
    const never = await campaign.grant();
    const theirs = await neighbour.upload();
    const ours = await campaign.upload();

    for (const value of [
      never.publicUrl,
      theirs.publicUrl,
      `${ours.publicUrl}?v=2`,
      ours.publicUrl.replace("/ws_", "/%77s_"),
      ours.publicUrl.replace(/[0-9a-f]{32}/, "0".repeat(32)),
      ours.publicUrl.replace(campaign.publisher.workspace.id, newId("workspace")),
      `${service.origin}/uploads/`,
    ]) {
      const { data } = await campaign.refuse(value);
      expect(data?.fieldErrors, value).toEqual({
        "meta.logo": ["No image has been uploaded to this address."],
      });
    }
    const { rowCount } = await service.database.pool.query("select 1 from ads where workspace_id = $1", [
      campaign.publisher.workspace.id,
    ]);
    expect(rowCount).toBe(0);
  });

  it.each([
    [{ minWidth: 300, minHeight: 250 }, [299, 250], "it must have at least 300 × 250 pixels."],
    [{ ratio: "6:5" }, [600, 600], "its ratio must be 6:5."],
    [{ width: 600, height: 500 }, [1, 1], null],
    [{ width: 600, height: 500, ratio: "6:5", minWidth: 300 }, [588, 500], null],
  ] as const)("of a field that asks %j for an image of %j: %s", async (image, [width, height], problem) => {
    const campaign = await aLogoCampaign(service);
    const { caller, path } = campaign.publisher;
    await caller.ok(field, "PATCH", `${path}/fields/${campaign.logo.id}`, { image });
    const { publicUrl } = await campaign.upload(aPngOfSize(width, height));

    if (problem === null) await campaign.submit(publicUrl);
    else {
      const { data } = await campaign.refuse(publicUrl);
      const sentence = `The image has ${width} × ${height} pixels; ${problem}`;
      expect(data?.fieldErrors).toEqual({ "meta.logo": [sentence] });
    }
  });

  it("has a file measured once, however often it comes, and again only when the store has another version", async () => {
    const campaign = await aLogoCampaign(service);
    const { caller, path } = campaign.publisher;
    await caller.ok(field, "PATCH", `${path}/fields/${campaign.logo.id}`, { image: { ratio: "6:5" } });
    const { publicUrl } = await campaign.upload(aPngOfSize(600, 600));
    const { uploads } = service.services;
    const { find, readStart } = uploads;
    const reads = vi.spyOn(uploads, "readStart");
    onTestFinished(() => void vi.restoreAllMocks());

    for (let time = 0; time < 3; time += 1) {
      const { data } = await campaign.refuse(publicUrl);
      expect(data?.fieldErrors).toEqual({
        "meta.logo": ["The image has 600 × 600 pixels; its ratio must be 6:5."],
      });
    }
    const readOfOne = reads.mock.calls.length;
    const replaced = { version: "replaced", start: aPngOfSize(600, 500) };
    vi.spyOn(uploads, "find").mockImplementation(async (key) => {
      const file = await find(key);
      return file === null ? null : { ...file, version: replaced.version };
    });
    reads.mockImplementation(async (key, maxBytes) => {
      const file = await readStart(key, maxBytes);
      return file === null ? null : { ...file, ...replaced };
    });
    passed += LONG_MS;
    await campaign.submit(publicUrl);

    expect(readOfOne).toBe(1);
  });

  it("counts before its images are looked at, so that those of one too many are not", async () => {
    const campaign = await aLogoCampaign(service);
    const { publicUrl } = await campaign.upload();
    const { limits, uploads } = service.services;
    const consume = limits.consume.bind(limits);
    vi.spyOn(limits, "consume").mockImplementation(async (rule, key) => ({
      ...(await consume(rule, key)),
      allowed: rule.name !== "submissions-of-purchase",
    }));
    const looks = vi.spyOn(uploads, "readStart");
    onTestFinished(() => void vi.restoreAllMocks());

    await expect(campaign.submit(publicUrl)).rejects.toThrow("LIMIT_REACHED");

    expect(looks).not.toHaveBeenCalled();
  });

  it("takes an image at an address that is not ours, and never has it approved unseen", async () => {
    const campaign = await aLogoCampaign(service);
    const { caller, path } = campaign.publisher;

    const submitted = await campaign.submit("https://images.example/logo.svg");

    await caller.refused(409, "POST", `${path}/ads/${submitted.id}/approve`);
  });

  it("takes an upload from before uploads were on record, which then begins", async () => {
    const campaign = await aLogoCampaign(service);
    const { publicUrl, key } = await campaign.upload();
    const { db } = service.database;
    await db.deleteFrom("uploads").where("key", "=", key).execute();

    await campaign.submit(publicUrl);

    const row = await db.selectFrom("uploads").where("key", "=", key).selectAll().executeTakeFirst();
    expect(row?.workspace_id).toBe(campaign.publisher.workspace.id);
  });
});
