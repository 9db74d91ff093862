import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { servedAds } from "#libs/contract/serving.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { createTestBucket } from "#libs/uploads/tests/bucket.ts";
import { aPublisher, aTier } from "../../management/tests/story.ts";
import { A_PIXEL, aLogoCampaign } from "../../management/tests/upload-story.ts";
import { startInstallation } from "./installation.ts";
import { approve, readTotals } from "./publisher.ts";
import { aVisitor, report } from "./visitor.ts";

const readiness = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });

/** What an operator sets to keep uploads in a bucket, and the bucket. */
async function aBucket() {
  const { options, remove } = await createTestBucket();
  onTestFinished(() => remove());
  const { bucket, endpoint, credentials } = options;
  return {
    address: `${endpoint}/${bucket}/`,
    environment: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint ?? "",
      S3_FORCE_PATH_STYLE: "true",
      S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? "",
      S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? "",
    },
  };
}

async function readyz(origin: string) {
  return readiness.parse(await (await fetch(`${origin}/readyz`)).json());
}

it("sells, reviews, serves and counts by Redis and Kafka an ad whose image is in a bucket, once it is an image", async () => {
  const { address, environment } = await aBucket();
  const { url: origin, stop } = await startAt({
    ...environment,
    REDIS_URL: process.env.REDIS_TEST_URL ?? "",
    KAFKA_BROKERS: process.env.KAFKA_TEST_BROKERS ?? "",
    KAFKA_TOPIC: `standalone-${crypto.randomUUID()}`,
    KAFKA_REPLICATION: "1",
    SPILL_DIR: await aFolder(),
  });
  const campaign = await aLogoCampaign({ origin });
  const { publisher } = campaign;
  const { caller, path } = publisher;

  // A bucket takes whatever has the granted type and length.
  const page = await campaign.upload(Buffer.from("<!doctype html><script>alert(1)</script>"));
  const { id } = await campaign.submit(page.publicUrl);
  const { data } = await caller.refused(409, "POST", `${path}/ads/${id}/approve`);
  expect(data?.fieldErrors).toEqual({ "meta.logo": ["The file is no image of the type image/png."] });

  const { publicUrl } = await campaign.upload();
  await campaign.submit(publicUrl);
  await approve(publisher, id);

  const served = await vi.waitFor(async () => {
    const answer = await fetch(`${origin}${path}/ads/serving`);
    const { ads } = servedAds.parse(await answer.json());
    expect(ads.map((one) => one.id)).toEqual([id]);
    return ads[0];
  }, 20_000);
  expect(publicUrl.startsWith(address)).toBe(true);
  expect(served?.meta).toEqual({ logo: publicUrl });
  const shown = await fetch(publicUrl);
  expect(shown.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await shown.arrayBuffer()).equals(A_PIXEL)).toBe(true);
  expect(await report(origin, id, "impressions", aVisitor(1))).toBe(true);
  // The same visitor again at once is acknowledged and does not count.
  expect(await report(origin, id, "impressions", aVisitor(1))).toBe(true);
  await vi.waitFor(async () => expect((await readTotals(publisher, id)).impressions).toBe(1), 3_000);
  expect(await readyz(origin)).toMatchObject({ ready: true, checks: { uploads: "up" } });
  await stop();
});

/**
 * As far as stripe-mock goes: it checks what we ask and keeps nothing, so nobody can pay there, no event comes, and what
 * follows a payment is not seen here.
 */
it("starts, opens a checkout at Stripe and takes uploads, with Stripe's key and a bucket", async () => {
  const { address, environment } = await aBucket();
  const {
    url: origin,
    stop,
    stdout,
  } = await startAt({
    ...environment,
    STRIPE_SECRET_KEY: "sk_test_123",
    STRIPE_WEBHOOK_SECRET: "whsec_123",
    STRIPE_API_URL: process.env.STRIPE_MOCK_URL ?? "",
  });
  const publisher = await aPublisher({ origin });
  const { prices } = await aTier(publisher);

  const opened = await publisher.caller.ok(
    z.object({ url: z.url(), sessionId: z.string() }),
    "POST",
    `${publisher.path}/checkout-sessions`,
    { tierPriceId: prices[0]?.id, email: "ads@coffee.example" },
  );
  const grant = await publisher.caller.ok(uploadGrant, "POST", `${publisher.path}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: A_PIXEL.length,
  });
  const sent = await fetch(grant.uploadUrl, { method: "PUT", headers: grant.headers, body: A_PIXEL });

  expect(opened.sessionId).toMatch(/^cs_/);
  expect(sent.status).toBe(200);
  expect(grant.publicUrl.startsWith(address)).toBe(true);
  expect((await fetch(grant.publicUrl)).status).toBe(200);
  expect(stdout).not.toContain("sandbox");
  expect(await readyz(origin)).toMatchObject({ ready: true, checks: { uploads: "up" } });
  await stop();
});

it("continues without a bucket that is away, and reports it at /readyz", async () => {
  const { environment } = await aBucket();
  const { url: origin, stop } = await startAt({ ...environment, S3_ENDPOINT: "http://127.0.0.1:1" });
  const publisher = await aPublisher({ origin });

  expect(await readyz(origin)).toMatchObject({ ready: true, checks: { uploads: "down", database: "up" } });
  expect((await publisher.caller.request("GET", `${publisher.path}/ads`)).status).toBe(200);
  await stop();
});

async function startAt(environment: Readonly<Record<string, string>>) {
  const installation = await startInstallation({ dataDir: await aFolder(), environment });
  return { url: installation.url, stdout: installation.stdout, stop: () => installation.stop() };
}
