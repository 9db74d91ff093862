import { expect, it, onTestFinished } from "vitest";
import { createS3Uploads, type S3UploadsOptions } from "./s3.ts";
import { anUpload } from "./uploads-suite.ts";

const CREDENTIALS = { accessKeyId: "key-of-this-test", secretAccessKey: "secret-of-this-test" };

/** Nothing is asked of a store: grants are signed here. */
it.each<[string, Partial<S3UploadsOptions>, string[]]>([
  ["Amazon's", {}, ["https://ads.s3.eu-west-1.amazonaws.com"]],
  ["one with dots in its name", { bucket: "ads.example.com" }, ["https://s3.eu-west-1.amazonaws.com"]],
  ["one elsewhere", { endpoint: "https://r2.example" }, ["https://ads.r2.example"]],
  [
    "one elsewhere, in the path",
    { endpoint: "http://127.0.0.1:9000", forcePathStyle: true },
    ["http://127.0.0.1:9000"],
  ],
  [
    "one behind a CDN",
    { publicUrl: new URL("https://cdn.example/ads/") },
    ["https://ads.s3.eu-west-1.amazonaws.com", "https://cdn.example"],
  ],
])(
  "names where browsers send files and fetch them, for a bucket that is %s",
  async (_what, given, origins) => {
    const uploads = createS3Uploads({
      bucket: "ads",
      region: "eu-west-1",
      credentials: CREDENTIALS,
      maxBytes: 1000,
      ...given,
    });
    onTestFinished(() => uploads.close());

    const grant = await uploads.grant(anUpload());

    expect(uploads.origins).toEqual(origins);
    expect(uploads.origins).toContain(new URL(grant.uploadUrl).origin);
    expect(uploads.origins).toContain(new URL(grant.publicUrl).origin);
    expect(uploads.maxBytes).toBe(1000);
  },
);
