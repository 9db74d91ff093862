import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { field } from "#libs/contract/fields.ts";
import { revision } from "#libs/contract/revisions.ts";
import { createImageFetcher } from "#libs/guarded-fetch/index.ts";
import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import { type Answers, aSite, type Site } from "#libs/guarded-fetch/tests/sites.ts";
import { versionOf } from "../../tests/catalogue-facts.ts";
import { startManagement } from "../../tests/management.ts";
import { aField } from "../../tests/story.ts";
import { A_PIXEL, aLogoCampaign, aPngOfSize } from "../../tests/upload-story.ts";
import { removeUnusedUploads } from "../uploads/removal.ts";
import { adoptImages } from "./adopt.ts";
import { copyNextImage } from "./copy.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The sites that there are; every other address is away. */
const sites: { port: number }[] = [];
let passed = 0;
const service = await startManagement({
  unlimited: true,
  uploadQuotaBytes: 1024 * 1024,
  now: () => Date.now() + passed,
  images: createImageFetcher({
    contact: new URL("https://ads.example.com"),
    maxBytes: 1_000_000,
    network: networkOf(sites),
  }),
});
const { services, database } = service;
const { db } = database;

type Campaign = Awaited<ReturnType<typeof aLogoCampaign>>;

async function aSiteOfTheWeb(answers: Answers): Promise<Site> {
  const site = await aSite(answers);
  sites.push(site);
  return site;
}

/** The ad as its publisher has it. */
async function read({ publisher }: Campaign, adId: string) {
  return await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${adId}`);
}

async function approve({ publisher }: Campaign, adId: string, what = "approve") {
  return await publisher.caller.request("POST", `${publisher.path}/ads/${adId}/${what}`);
}

/** The workspace's snapshot, once it is up to date. */
async function served({ publisher }: Campaign) {
  const { id } = publisher.workspace;
  return await vi.waitFor(async () => {
    const { version } = await db
      .selectFrom("workspaces")
      .where("id", "=", id)
      .select("version")
      .executeTakeFirstOrThrow();
    const snapshot = await service.placements.read(id);
    expect(snapshot?.version).toBe(version);
    return snapshot;
  }, 20_000);
}

/** Waits until no image of the workspace is about to be tried. */
async function settled(campaign: Campaign, adId: string) {
  return await vi.waitFor(async () => {
    const { meta } = await read(campaign, adId);
    expect(meta.some(({ copy }) => copy?.status === "pending" && copy.problem === null)).toBe(false);
    return meta;
  }, 20_000);
}

async function copyNow({ publisher }: Campaign): Promise<void> {
  const payload = { workspaceId: publisher.workspace.id };
  await copyNextImage(services, payload, new AbortController().signal);
}

it("copies an image from elsewhere, and shows visitors what was approved when the site exchanges it", async () => {
  const arrival = Promise.withResolvers<void>();
  let bytes = A_PIXEL;
  const site = await aSiteOfTheWeb({
    "/logo.png": (_request, response) => void arrival.promise.then(() => response.end(bytes)),
  });
  const campaign = await aLogoCampaign(service);
  const address = site.at("/logo.png").href;

  const { id, meta: submitted } = await campaign.submit(address);
  const early = await approve(campaign, id);
  const versionBefore = await versionOf(service, campaign.publisher);
  arrival.resolve();
  const [copied] = await settled(campaign, id);
  const versionAfter = await versionOf(service, campaign.publisher);
  const approved = await approve(campaign, id);
  bytes = aPngOfSize(2, 2);
  const after = await served(campaign);

  expect(submitted).toEqual([
    { fieldId: campaign.logo.id, value: address, copy: { status: "pending", problem: null } },
  ]);
  expect([early.status, JSON.parse(early.text).data]).toEqual([
    409,
    {
      formErrors: ["An image is not there yet. Approve once it has been copied."],
      fieldErrors: { "meta.logo": [`The image at ${address} is being copied.`] },
      reason: "IMAGE_NOT_COPIED",
      requestId: expect.any(String),
    },
  ]);
  // Nobody has approved the ad yet, so serving knows nothing of it.
  expect(versionAfter).toBe(versionBefore);
  expect(approved.status).toBe(200);
  expect(copied).toEqual({
    fieldId: campaign.logo.id,
    value: expect.stringMatching(
      new RegExp(`^${service.origin}/uploads/ws_[0-9a-z]{26}/[0-9a-f]{32}\\.png$`),
    ),
  });
  expect(after?.ads[0]?.meta).toEqual({ logo: copied?.value });
  const shown = await fetch(String(copied?.value));
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(A_PIXEL);
  expect(site.requests).toHaveLength(1);
});

it("does not show an image from elsewhere that the field refuses, and says why to the publisher", async () => {
  const site = await aSiteOfTheWeb({
    "/small.png": (_request, response) => void response.end(aPngOfSize(299, 250)),
  });
  const campaign = await aLogoCampaign(service);
  const { caller, path } = campaign.publisher;
  await caller.ok(field, "PATCH", `${path}/fields/${campaign.logo.id}`, { image: { minWidth: 300 } });

  const { id } = await campaign.submit(site.at("/small.png").href);
  const [image] = await settled(campaign, id);

  expect(image?.copy).toEqual({
    status: "failed",
    problem: "The image has 299 × 250 pixels; it must have at least 300 pixels in width.",
  });
  expect((await approve(campaign, id)).status).toBe(409);
});

it.each([
  [
    "leads into a private network",
    "http://10.0.0.1/logo.png",
    "Its address does not lead to a file on the public internet.",
  ],
  [
    "leads to this machine",
    "http://127.0.0.1:1/logo.png",
    "Its address does not lead to a file on the public internet.",
  ],
  ["is not there", "/missing.png", "The site answered 404."],
  ["is a page", "/page", "It is no PNG, JPEG, WebP, GIF or AVIF image."],
  [
    "is far too wide",
    "/wide.png",
    "The image has 9000 × 1 pixels; no side may have over 8192, and all over 16777216.",
  ],
])("never approves or serves an image that %s, and says why", async (_what, path, reason) => {
  const site = await aSiteOfTheWeb({ "/page": "<!doctype html>", "/wide.png": aPngOfSize(9_000, 1) });
  const campaign = await aLogoCampaign(service);
  const address = path.startsWith("/") ? site.at(path).href : path;

  const { id } = await campaign.submit(address);
  const [value] = await settled(campaign, id);
  const refusal = await approve(campaign, id);

  expect(value).toEqual({
    fieldId: campaign.logo.id,
    value: address,
    copy: { status: "failed", problem: reason },
  });
  expect([refusal.status, JSON.parse(refusal.text).data.fieldErrors]).toEqual([
    409,
    { "meta.logo": [`The image at ${address} could not be copied: ${reason}`] },
  ]);
  expect(JSON.stringify(await served(campaign))).not.toContain(address);
});

it("tries a site that fails five times in all, each time later, and again when it is submitted again", async () => {
  let isUp = false;
  const site = await aSiteOfTheWeb({
    "/logo.png": (_request, response) => (isUp ? response.end(A_PIXEL) : response.writeHead(503).end()),
  });
  const campaign = await aLogoCampaign(service);
  const address = site.at("/logo.png").href;
  const { id } = await campaign.submit(address);
  const [first] = await settled(campaign, id);

  await copyNow(campaign);
  const tooEarly = site.requests.length;
  for (const minutes of [1, 10, 60, 360]) {
    passed += minutes * MINUTE_MS;
    await copyNow(campaign);
  }
  passed += 24 * HOUR_MS;
  await copyNow(campaign);
  const [last] = (await read(campaign, id)).meta;
  const tries = site.requests.length;
  isUp = true;
  await campaign.submit(address);
  const [copied] = await settled(campaign, id);

  expect(first?.copy).toEqual({ status: "pending", problem: "The site answered 503." });
  expect([tooEarly, tries]).toEqual([1, 5]);
  expect(last?.copy).toEqual({ status: "failed", problem: "The site answered 503." });
  expect(copied?.value).toMatch(/\/uploads\//);
  expect((await approve(campaign, id)).status).toBe(200);
});

it("keeps a revision from being approved until its image is there, while the unchanged ad stays live", async () => {
  const arrival = Promise.withResolvers<void>();
  const site = await aSiteOfTheWeb({
    "/first.png": A_PIXEL,
    "/second.png": (_request, response) => void arrival.promise.then(() => response.end(aPngOfSize(2, 2))),
  });
  const campaign = await aLogoCampaign(service);
  const { id } = await campaign.submit(site.at("/first.png").href);
  const [first] = await settled(campaign, id);
  await approve(campaign, id);
  const { caller, path } = campaign.publisher;
  const proposed = () => caller.ok(revision, "GET", `${path}/ads/${id}/revision`);

  await campaign.submit(site.at("/second.png").href);
  const early = await approve(campaign, id, "revision/approve");
  const whileWaiting = await served(campaign);
  arrival.resolve();
  await vi.waitFor(async () => expect((await proposed()).meta[0]?.copy).toBeUndefined(), 20_000);
  const [second] = (await proposed()).meta;
  const approved = await approve(campaign, id, "revision/approve");

  expect([early.status, approved.status]).toEqual([409, 200]);
  expect(whileWaiting?.ads[0]?.meta).toEqual({ logo: first?.value });
  expect((await served(campaign))?.ads[0]?.meta).toEqual({ logo: second?.value });
  expect(second?.value).not.toBe(first?.value);
});

it("serves an ad from before images were copied without its image until the copy is there", async () => {
  const arrival = Promise.withResolvers<void>();
  const site = await aSiteOfTheWeb({
    "/logo.png": (_request, response) => void arrival.promise.then(() => response.end(A_PIXEL)),
  });
  const campaign = await aLogoCampaign(service);
  const badge = await aField(campaign.publisher, { name: "Badge", type: "Image" });
  const own = await campaign.upload();
  const { id } = await campaign.submit(own.publicUrl);
  await approve(campaign, id);
  const address = site.at("/logo.png").href;
  const moved = own.publicUrl.replace(service.origin, "https://ads.before.example");
  await db
    .updateTable("ads")
    .set({ meta: JSON.stringify({ [campaign.logo.id]: address, [badge.id]: moved }) })
    .where("id", "=", id)
    .execute();

  await adoptImages(services);
  const between = await served(campaign);
  arrival.resolve();
  await settled(campaign, id);

  expect(between?.ads[0]?.meta).not.toHaveProperty("logo");
  const { meta } = (await served(campaign))?.ads[0] ?? {};
  expect(meta).toEqual({ logo: expect.stringContaining(`${service.origin}/uploads/`), badge: own.publicUrl });
  expect((await read(campaign, id)).status).toBe("Approved");
});

it("copies other workspaces' images while the site of one does not answer", async () => {
  const end = Promise.withResolvers<void>();
  const stuck = await aSiteOfTheWeb({
    "/logo.png": (_request, response) => void end.promise.then(() => response.end(A_PIXEL)),
  });
  const site = await aSiteOfTheWeb({ "/logo.png": A_PIXEL });
  const [slow, ...others] = await Promise.all(Array.from({ length: 3 }, () => aLogoCampaign(service)));
  if (slow === undefined) throw new Error("no campaign");
  const waiting = await slow.submit(stuck.at("/logo.png").href);
  await vi.waitFor(() => expect(stuck.requests).toHaveLength(1), 20_000);

  for (const other of others) {
    const { id } = await other.submit(site.at("/logo.png").href);
    expect((await settled(other, id))[0]?.value).toMatch(/\/uploads\//);
  }
  expect((await read(slow, waiting.id)).meta[0]?.copy?.status).toBe("pending");
  end.resolve();
  await settled(slow, waiting.id);
});

it("counts copies for the workspace's quota, and removes them with the draft that used them", async () => {
  const half = Buffer.concat([A_PIXEL], 600_000);
  const other = Buffer.concat([aPngOfSize(2, 2)], 600_000);
  const site = await aSiteOfTheWeb({ "/half.png": half, "/other.png": other });
  const campaign = await aLogoCampaign(service);
  const { id } = await campaign.submit(site.at("/half.png").href);
  const [first] = await settled(campaign, id);

  await campaign.submit(site.at("/other.png").href);
  const [full] = await settled(campaign, id);
  await removeUnusedUploads({ ...services, now: () => services.now() + 2 * HOUR_MS });
  passed += MINUTE_MS;
  await copyNow(campaign);
  const [second] = (await read(campaign, id)).meta;

  expect(full?.copy).toEqual({
    status: "pending",
    problem:
      "There is no room for it: the uploads of the workspace, or the unused ones of the checkout, have reached their limit.",
  });
  expect(second?.copy).toBeUndefined();
  expect((await fetch(String(first?.value))).status).toBe(404);
  expect((await fetch(String(second?.value))).status).toBe(200);
});

it("leaves a copy for the next process when this one stops, and counts no failure", async () => {
  const site = await aSiteOfTheWeb({ "/logo.png": () => {} });
  const campaign = await aLogoCampaign(service);
  const { id } = await campaign.submit(site.at("/logo.png").href);
  await vi.waitFor(() => expect(site.requests).toHaveLength(1), 20_000);

  const stopping = new AbortController();
  const payload = { workspaceId: campaign.publisher.workspace.id };
  const copying = copyNextImage(services, payload, stopping.signal);
  await vi.waitFor(() => expect(site.requests).toHaveLength(2), 20_000);
  stopping.abort(new Error("the jobs are stopping"));
  await copying;

  expect((await read(campaign, id)).meta[0]?.copy).toEqual({ status: "pending", problem: null });
});

it("takes no more than twenty images elsewhere with one ad", async () => {
  const campaign = await aLogoCampaign(service);
  const fields = await Promise.all(
    Array.from({ length: 21 }, (_, n) =>
      aField(campaign.publisher, { name: `Picture ${n}`, key: `picture_${n}`, type: "Image" }),
    ),
  );

  const { caller, path } = campaign.checkout;
  const refusal = await caller.refused(422, "POST", `${path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: fields.map(({ id }) => ({ fieldId: id, value: "http://10.0.0.1/logo.png" })),
  });

  expect(Object.values(refusal.data?.fieldErrors ?? {})).toEqual([
    ["An ad may have at most 20 images from other sites. Upload this one."],
  ]);
  expect(refusal.data.reason).toBe("TOO_MANY_EXTERNAL_IMAGES");
});

it("lets no page of the dashboard load an image from elsewhere", async () => {
  const page = await fetch(service.origin, { headers: { accept: "text/html" } });

  expect(page.headers.get("content-security-policy")).toContain("img-src 'self' data:;");
});

it("shows the advertiser how the copy goes, and loads no image from elsewhere on the page", async () => {
  const campaign = await aLogoCampaign(service);
  const { publisher, checkout } = campaign;
  const page = `/advertise/${publisher.workspace.id}/checkout/${checkout.sessionId}`;
  const form = new URLSearchParams({
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    "meta.logo": "http://10.0.0.1/logo.png",
  });

  const sent = await checkout.caller.request("POST", page, form.toString(), {
    "content-type": "application/x-www-form-urlencoded",
  });
  const shown = await vi.waitFor(async () => {
    const { text, headers } = await checkout.caller.request("GET", page);
    expect(text).toContain("could not be copied: Its address does not lead");
    return { text, policy: headers.get("content-security-policy") };
  }, 20_000);
  const edit = await checkout.caller.request("GET", `${page}/edit`);

  expect(sent.status).toBe(303);
  expect(shown.policy).toContain("img-src 'self' blob:;");
  for (const text of [shown.text, edit.text]) expect(text).not.toContain('src="http://10.0.0.1');
  expect(edit.text).toContain('value="http://10.0.0.1/logo.png"');
});
