import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { aPng } from "#libs/favicon/tests/images.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { fetchFavicon } from "./fetch.ts";

const ICON_BYTES = 30_000;
const QUOTA = 5 * ICON_BYTES;
const asked: string[] = [];
const service = await startManagement({
  unlimited: true,
  uploadQuotaBytes: QUOTA,
  favicons: {
    find: async ({ hostname }) => {
      asked.push(hostname);
      const bytes = Buffer.concat([aPng(64, 100), Buffer.alloc(ICON_BYTES - 100, hostname)]);
      return { kind: "found", icon: { contentType: "image/png", bytes } };
    },
  },
});
const { services } = service;
const { db } = services;
const { signal } = new AbortController();

/** An ad, with what sends it with another host and waits until the icon of that was looked for. */
async function anAd() {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const { caller, path } = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const submit = async (host: string) => {
    const values = { name: "Example Coffee", websiteUrl: `https://${host}/` };
    const { id } = await caller.ok(submittedAd, "POST", `${path}/ad`, values);
    await vi.waitFor(() => expect(asked).toContain(host), 20_000);
    // The job may be at work still: a second search comes to the same.
    await fetchFavicon(services, { workspaceId: publisher.workspace.id, adId: id, attempt: 1 }, signal);
    return await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${id}`);
  };
  return { publisher, submit };
}

async function bytesOf(workspaceId: string): Promise<number> {
  const rows = await db
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .select("bytes")
    .execute();
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

it("stores icons in three fifths of the room, so that no buyer can keep the publisher and buyers who pay from uploading", async () => {
  const { publisher, submit } = await anAd();

  const icons = [];
  for (let n = 1; n <= 6; n += 1) icons.push((await submit(`h${n}.evil.test`)).faviconUrl);
  const again = await submit("h6.evil.test");
  const grant = await publisher.caller.ok(uploadGrant, "POST", `${publisher.path}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: ICON_BYTES,
  });

  expect(icons.map((icon) => icon !== null)).toEqual([true, true, true, false, false, false]);
  expect(again.faviconUrl).toBeNull();
  expect(grant.key).toContain(publisher.workspace.id);
  expect(await bytesOf(publisher.workspace.id)).toBe(4 * ICON_BYTES);
});

it("leaves an ad the icon that it has when the room is taken meanwhile", async () => {
  const { publisher, submit } = await anAd();
  const before = await submit("kept.test");
  await publisher.caller.ok(uploadGrant, "POST", `${publisher.path}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: 4 * ICON_BYTES,
  });

  const after = await submit("kept.test");

  expect(before.faviconUrl).toMatch(/\.png$/);
  expect(after.faviconUrl).toBe(before.faviconUrl);
});

it("asks no site once the workspaces of a person have had their searches of the day, and keeps the icon until it may", async () => {
  const { publisher, submit } = await anAd();
  const { faviconUrl, id } = await submit("busy.test");
  const owner = await db
    .selectFrom("people")
    .where("email", "=", publisher.person.email)
    .select("id")
    .executeTakeFirst();
  const consume = services.limits.consume.bind(services.limits);
  vi.spyOn(services.limits, "consume").mockImplementation(async (rule, key) => ({
    ...(await consume(rule, key)),
    allowed: rule.name !== "favicon-searches" || key !== owner?.id,
  }));
  onTestFinished(() => void vi.restoreAllMocks());
  await db.deleteFrom("favicon_lookups").where("host", "=", "busy.test").execute();
  const before = asked.length;

  await fetchFavicon(services, { workspaceId: publisher.workspace.id, adId: id, attempt: 1 }, signal);

  expect(asked.length).toBe(before);
  const kept = await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${id}`);
  expect([kept.faviconUrl, faviconUrl]).toEqual([faviconUrl, expect.stringMatching(/\.png$/)]);
});
