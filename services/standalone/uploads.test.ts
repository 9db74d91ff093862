import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openDiskUploads } from "#libs/uploads/index.ts";
import { aPng } from "#libs/uploads/uploads-suite.ts";
import { withOlderFiles } from "./uploads.ts";

/** A store of uploads below an address; the folder of another address plays the bucket. */
async function aStoreAt(publicUrl: string) {
  const folder = await aFolder();
  const secret = "a-secret-of-more-than-thirty-two-characters";
  return await openDiskUploads({ folder, secret, publicUrl: new URL(publicUrl), maxBytes: 1_000 });
}

it("knows the files of the data folder as its own once there is a bucket, and puts new ones there", async () => {
  const [bucket, folder] = [await aStoreAt("https://bucket.example"), await aStoreAt("https://ads.example")];
  const file = { workspaceId: newId("workspace"), contentType: "image/png", bytes: aPng() } as const;
  const older = await folder.put(file);
  const uploads = withOlderFiles(bucket, folder);
  const newer = await uploads.put({ ...file, workspaceId: newId("workspace") });

  expect(newer.publicUrl).toContain("https://bucket.example/uploads/");
  for (const { key, publicUrl } of [older, newer]) {
    expect(uploads.locate(publicUrl)).toEqual({ key });
    expect(await uploads.addressOf(key)).toBe(publicUrl);
    expect(await uploads.find(key)).toMatchObject({ contentType: "image/png", contentLength: 200 });
    expect((await uploads.readStart(key, 8))?.start).toEqual(aPng().subarray(0, 8));
  }
  expect(uploads.origins).toEqual(["https://bucket.example", "https://ads.example"]);

  await uploads.remove([older.key, newer.key]);

  expect([await folder.find(older.key), await bucket.find(newer.key)]).toEqual([null, null]);
});
