import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { createS3Uploads } from "#libs/uploads/index.ts";
import { createTestBucket } from "#libs/uploads/tests/bucket.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPublisher } from "../../tests/story.ts";
import { A_PIXEL, aPngOfSize } from "../../tests/upload-story.ts";
import { inspectImages, removeReplaced, requireSoundImages } from "./inspection.ts";
import { grantUpload } from "./records.ts";

const service = await startManagement();

/** An image that was approved while its grant was open, and the job that checks it again. */
async function anApprovedImage() {
  const bucket = await createTestBucket();
  const uploads = createS3Uploads({ ...bucket.options, maxBytes: 1_000_000 });
  onTestFinished(async () => {
    uploads.close();
    await bucket.remove();
  });
  const services = { ...service.services, uploads, logger: pino({ level: "silent" }) };
  const publisher = await aPublisher(service);
  const workspaceId = publisher.workspace.id;
  const logo = await aField(publisher, { name: "Logo", type: "Image" });
  const request = {
    workspaceId,
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: A_PIXEL.length,
    now: Date.now(),
  } as const;
  const grant = await grantUpload(services, request, "publisher");
  const put = async (body: Buffer<ArrayBuffer>) =>
    (await fetch(grant.uploadUrl, { method: "PUT", headers: grant.headers, body })).status;
  expect(await put(A_PIXEL)).toBe(200);

  const meta = { [logo.id]: grant.publicUrl };
  const inspection = await inspectImages(services, workspaceId, meta);
  await service.database.db
    .transaction()
    .execute((trx) =>
      requireSoundImages(trx, services, workspaceId, { meta, images_elsewhere: {} }, inspection),
    );
  const { rows } = await service.database.pool.query(
    "select payload, run_at from graphile_worker._private_jobs where payload::text like $1",
    [`%${grant.key}%`],
  );
  return { services, grant, put, uploads, job: rows[0] };
}

it("checks an image again once nobody can replace it any more", async () => {
  const { services, grant, uploads, job } = await anApprovedImage();

  await removeReplaced(services, job.payload);

  const minutes = (job.run_at.getTime() - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(5);
  expect(minutes).toBeLessThan(7);
  expect(await uploads.find(grant.key)).not.toBeNull();
});

it("removes an image that was replaced after its approval: nobody has reviewed it", async () => {
  const { services, grant, put, uploads, job } = await anApprovedImage();
  expect(await put(aPngOfSize(2, 2))).toBe(200);

  await removeReplaced(services, job.payload);

  expect(await uploads.find(grant.key)).toBeNull();
  await removeReplaced(services, { key: `${newId("workspace")}/${"0".repeat(32)}.png`, version: "1" });
});
