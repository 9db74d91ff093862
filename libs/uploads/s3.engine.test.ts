import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:net";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import type { UploadGrant } from "./port.ts";
import { createS3Uploads, type S3UploadsOptions } from "./s3.ts";
import { createTestBucket } from "./tests/bucket.ts";
import { anUpload, aPng, testUploads } from "./uploads-suite.ts";

const MAX_BYTES = 1024 * 1024;
const bucket = await createTestBucket();
const uploads = openUploads();
afterAll(() => bucket.remove());
afterAll(() => uploads.close());

function openUploads(changes: Partial<S3UploadsOptions> = {}) {
  return createS3Uploads({ ...bucket.options, maxBytes: MAX_BYTES, ...changes });
}

const put = (grant: UploadGrant, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(grant.uploadUrl, { method: "PUT", headers: { ...grant.headers, ...headers }, body });

describe("the shared suite", () =>
  testUploads(async () => {
    const store = openUploads();
    return { uploads: store, maxBytes: MAX_BYTES, fetch, close: async () => store.close() };
  }));

it("binds a grant to host, type and length, and to no checksum that a browser would have to send", async () => {
  const { uploadUrl, headers } = await uploads.grant(anUpload());

  const parameters = new URL(uploadUrl).searchParams;
  expect(parameters.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
  expect([...parameters.keys()].filter((name) => /checksum|sdk/i.test(name))).toEqual([]);
  expect(parameters.get("X-Amz-Expires")).toBe("300");
  expect(headers).toEqual({ "Content-Type": "image/png" });
});

it("lets browsers on any site ask before they send", async () => {
  const { uploadUrl } = await uploads.grant(anUpload());

  const answer = await fetch(uploadUrl, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type",
    },
  });

  expect(answer.ok).toBe(true);
  expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
  expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).toMatch(/content-type|\*/);
});

it("takes no body whose length is not announced", async () => {
  const grant = await uploads.grant(anUpload());

  const sending = request(grant.uploadUrl, { method: "PUT", headers: { ...grant.headers } });
  sending.write(aPng().subarray(0, 100));
  sending.end(aPng().subarray(100));
  const [answer] = await once(sending, "response");
  answer.resume();

  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(await uploads.find(grant.key)).toBeNull();
});

it("grants a PUT and nothing else", async () => {
  const grant = await uploads.grant(anUpload());
  await put(grant, aPng());

  const [got, removed] = await Promise.all([
    fetch(grant.uploadUrl),
    fetch(grant.uploadUrl, { method: "DELETE" }),
  ]);

  expect([got.ok, removed.ok]).toEqual([false, false]);
  expect(await uploads.find(grant.key)).not.toBeNull();
});

it("tells when the bytes of a file have changed, which a grant allows while it lasts", async () => {
  const grant = await uploads.grant(anUpload());
  const other = aPng();
  other[150] = 8;

  await put(grant, aPng());
  const first = await uploads.readStart(grant.key, 10);
  await put(grant, other);
  const second = await uploads.readStart(grant.key, 10);

  expect(second?.version).not.toBe(first?.version);
});

it("gives nobody a list of the files", async () => {
  const { publicUrl, key } = await uploads.grant(anUpload());

  const answer = await fetch(publicUrl.replace(key, ""));

  expect(answer.status).toBe(403);
});

it("gives out addresses of the CDN in front of the bucket", async () => {
  const behind = openUploads({ publicUrl: new URL("https://cdn.example/ads/") });

  const grant = await behind.grant(anUpload());

  expect(grant.publicUrl).toBe(`https://cdn.example/ads/${grant.key}`);
  expect(behind.locate(grant.publicUrl)).toEqual({ key: grant.key });
  expect((await put(grant, aPng())).status).toBe(200);
  behind.close();
});

it.each<[string, Partial<S3UploadsOptions>]>([
  ["nobody listens", { endpoint: "http://127.0.0.1:1" }],
  ["the credentials are wrong", { credentials: { accessKeyId: "placard-test", secretAccessKey: "wrong" } }],
])("says that it is away, and rejects as UNAVAILABLE, when %s", async (_what, changes) => {
  const away = openUploads(changes);
  const { key } = await uploads.grant(anUpload());
  onTestFinished(() => away.close());

  expect(await away.ping()).toBe(false);
  await expect(away.find(key)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(away.readStart(key, 10)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(away.remove([key])).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

it("says that a bucket which does not exist is away", async () => {
  const missing = openUploads({ bucket: "placard-nowhere" });

  expect(await missing.ping()).toBe(false);
  missing.close();
});

it("gives up on a store that takes the question and never answers", async () => {
  const silent = createServer();
  const port = await listenOnLoopback(silent);
  const slow = openUploads({ endpoint: `http://127.0.0.1:${port}`, timeoutMs: 200 });
  const { key } = await uploads.grant(anUpload());

  await expect(slow.find(key)).rejects.toMatchObject({ code: "UNAVAILABLE" });

  slow.close();
  silent.close();
});
