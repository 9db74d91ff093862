import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "#libs/http/tests/test-server.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type DiskUploads, openDiskUploads } from "./disk.ts";
import { type DiskRoutesOptions, registerDiskUploads } from "./disk-routes.ts";
import type { UploadGrant, UploadRequest } from "./port.ts";
import { anUpload, aPng, testUploads, type UploadsUnderTest } from "./uploads-suite.ts";

const MAX_BYTES = 5 * 1024 * 1024;
const PUBLIC_ORIGIN = "https://ads.example.com";

interface DiskUnderTest extends UploadsUnderTest {
  readonly uploads: DiskUploads;
  readonly folder: string;
  readonly server: TestServer;
}

const SECRET = "a secret of thirty-two characters";

async function openDisk(routes: Partial<DiskRoutesOptions> = {}): Promise<DiskUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "placard-uploads-"));
  const uploads = await openFolder(folder);
  const server = await startTestServer(
    async (app) => {
      await registerDiskUploads(app, { uploads, ...routes });
    },
    { trustProxy: ["127.0.0.1"] },
  );
  return {
    uploads,
    folder,
    server,
    maxBytes: MAX_BYTES,
    fetch: (url, init) => server.fetch(pathOf(url), init),
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function openFolder(folder: string, secret = SECRET): Promise<DiskUploads> {
  return openDiskUploads({ folder, secret, publicUrl: new URL(PUBLIC_ORIGIN), maxBytes: MAX_BYTES });
}

function pathOf(url: string): string {
  return url.replace(PUBLIC_ORIGIN, "");
}

describe("the shared suite", () => testUploads(() => openDisk()));

describe("on disk", () => {
  let disk: DiskUnderTest;
  beforeAll(async () => {
    disk = await openDisk();
  });
  afterAll(() => disk.close());

  const put = (grant: UploadGrant, body: BodyInit, headers: Record<string, string> = grant.headers) =>
    disk.fetch(grant.uploadUrl, { method: "PUT", headers, body });
  const grantFor = (given: Partial<UploadRequest> = {}) => disk.uploads.grant(anUpload(given));
  const filesUnder = async (folder: string) => await readdir(join(disk.folder, folder)).catch(() => []);

  it("serves a file so that no browser runs anything of it and every cache keeps it", async () => {
    const grant = await grantFor();
    await put(grant, aPng());

    const { headers } = await disk.fetch(grant.publicUrl);

    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "200",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      etag: `"${grant.key.slice(-36, -4)}"`,
    });
  });

  it("answers HEAD like GET, and 304 to who has the file", async () => {
    const grant = await grantFor();
    await put(grant, aPng());
    const etag = (await disk.fetch(grant.publicUrl)).headers.get("etag") ?? "";

    const head = await disk.fetch(grant.publicUrl, { method: "HEAD" });
    const cached = await disk.fetch(grant.publicUrl, { headers: { "if-none-match": `"other", W/${etag}` } });
    const changed = await disk.fetch(grant.publicUrl, { headers: { "if-none-match": '"other"' } });

    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "200", ""]);
    expect([cached.status, cached.headers.get("etag"), await cached.text()]).toEqual([304, etag, ""]);
    expect(changed.status).toBe(200);
  });

  it("lets browsers on any site ask before they send", async () => {
    const grant = await grantFor();

    const answer = await disk.fetch(grant.uploadUrl, {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "PUT" },
    });

    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(answer.headers.get("access-control-allow-headers")).toContain("content-type");
  });

  it("takes the same bytes again and refuses others: a reviewed image cannot be exchanged", async () => {
    const grant = await grantFor();
    const other = aPng();
    other[150] = 8;

    const statuses = [(await put(grant, aPng())).status, (await put(grant, aPng())).status];
    const refused = await put(grant, other);

    expect([...statuses, refused.status]).toEqual([200, 200, 409]);
    expect(await refused.json()).toMatchObject({ data: { reason: "UPLOAD_EXISTS" } });
    const stored = await disk.fetch(grant.publicUrl);
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(aPng());
  });

  it("lets one of two files win that are sent at once", async () => {
    const grant = await grantFor();
    const other = aPng();
    other[150] = 8;

    const answers = await Promise.all([put(grant, aPng()), put(grant, other)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await filesUnder("incoming")).toEqual([]);
  });

  it.each([
    ["a page", Buffer.alloc(200, "<!doctype html><script>alert(1)</script>")],
    ["a GIF", Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(194)])],
  ])("refuses %s that is sent as a PNG", async (_what, body) => {
    const workspace = anUpload();
    const grant = await disk.uploads.grant(workspace);

    const answer = await put(grant, body);

    expect([answer.status, await answer.json()]).toEqual([
      422,
      {
        defined: true,
        code: "INPUT_VALIDATION_FAILED",
        status: 422,
        message: "INPUT_VALIDATION_FAILED",
        data: {
          formErrors: ["The file is not of the type image/png."],
          fieldErrors: {},
          reason: "UPLOAD_MISMATCH",
          requestId: expect.any(String),
        },
      },
    ]);
    expect(await filesUnder(workspace.workspaceId)).toEqual([]);
    expect(await filesUnder("incoming")).toEqual([]);
  });

  it.each(["contentType=image%2Fgif", "contentLength=100", "expires=9999999999", "signature=AAAA"])(
    "refuses a grant whose address was changed to %s",
    async (change) => {
      const grant = await grantFor();
      const url = new URL(grant.uploadUrl);
      for (const [name, value] of new URLSearchParams(change)) url.searchParams.set(name, value);

      const answer = await put({ ...grant, uploadUrl: url.href }, aPng());

      expect([answer.status, await answer.json()]).toEqual([
        403,
        expect.objectContaining({ code: "FORBIDDEN", message: expect.stringContaining("upload address") }),
      ]);
    },
  );

  it("refuses a parameter that is there twice, and a body whose length is not announced", async () => {
    const grant = await grantFor();
    const twice = { ...grant, uploadUrl: `${grant.uploadUrl}&signature=x` };

    const chunked = await disk.server.sendRaw(
      `PUT ${pathOf(grant.uploadUrl)} HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ntransfer-encoding: chunked\r\n\r\n`,
    );

    expect((await put(twice, aPng())).status).toBe(403);
    expect(chunked).toMatch(/^HTTP\/1\.1 400 /);
    expect(chunked).toContain("Content-Length");
  });

  it.each([
    "/uploads/../../etc/passwd",
    "/uploads/..%2f..%2fetc/passwd",
    "/uploads/incoming/x.png",
    "/uploads/ws_01kahm4sw4fksra52s8bd8xkd1/..%2f..%2fsecrets.png",
    "/uploads/ws_01kahm4sw4fksra52s8bd8xkd1/%00.png",
    `/uploads/ws_01kahm4sw4fksra52s8bd8xkd1/${"0".repeat(32)}.svg`,
    `/uploads/ws_01kahm4sw4fksra52s8bd8xkd1/${"0".repeat(32)}.png`,
  ])("knows nothing at %s", async (path) => {
    const raw = await disk.server.sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);

    expect(raw).toMatch(/^HTTP\/1\.1 404 /);
    expect(raw).toContain('"code":"NOT_FOUND"');
  });

  it("leaves nothing of an upload that breaks off", async () => {
    const workspace = anUpload({ contentLength: 100_000 });
    const grant = await disk.uploads.grant(workspace);
    const head = `PUT ${pathOf(grant.uploadUrl)} HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 100000\r\n\r\n`;

    await disk.server.sendAndLeave(head + aPng(64).toString("latin1"));

    await expect.poll(() => filesUnder("incoming")).toEqual([]);
    expect(await disk.uploads.find(grant.key)).toBeNull();
    expect((await put(grant, aPng(100_000))).status).toBe(200);
  });
});

/** Begins to send half of a file of 200 bytes, and resolves to the answer once the connection closes. */
function sendSlowly(disk: DiskUnderTest, grant: UploadGrant, from: string): Promise<string> {
  const head = `PUT ${pathOf(grant.uploadUrl)} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n`;
  return disk.server.sendRaw(`${head}content-type: image/png\r\ncontent-length: 200\r\n\r\nhalf of it`);
}

/** Sends a whole file. */
async function send(disk: DiskUnderTest, from: string, grant?: UploadGrant): Promise<Response> {
  const { uploadUrl, headers } = grant ?? (await disk.uploads.grant(anUpload()));
  const init = { method: "PUT", headers: { ...headers, "x-forwarded-for": from }, body: aPng() };
  return await disk.fetch(uploadUrl, init);
}

const arriving = (disk: DiskUnderTest) => readdir(join(disk.folder, "incoming"));

it("gives up on an upload that is too slow, with an answer", async () => {
  const disk = await openDisk({ withinMs: 100 });
  onTestFinished(() => disk.close());

  const answer = await sendSlowly(disk, await disk.uploads.grant(anUpload()), "192.0.2.1");

  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s);
  expect(await arriving(disk)).toEqual([]);
});

it("takes an upload while a few networks send many slowly", async () => {
  const disk = await openDisk();
  onTestFinished(() => disk.close());
  // As many of each network as would leave as many places again, were there 20.
  for (const [host, uploads] of [10, 5, 3, 1, 1].entries()) {
    for (let upload = 0; upload < uploads; upload += 1) {
      void sendSlowly(disk, await disk.uploads.grant(anUpload()), `192.0.2.${host}`);
    }
  }
  await expect.poll(() => arriving(disk)).toHaveLength(20);

  expect((await send(disk, "198.51.100.7")).status).toBe(200);
  expect(await arriving(disk)).toHaveLength(20);
});

it("cuts off the oldest upload of the network whose uploads take the most, and no other", async () => {
  // Room for three that have begun.
  const disk = await openDisk({ mostBytes: 4 * 128 * 1024 - 1 });
  onTestFinished(() => disk.close());
  const begin = async (from: string) => sendSlowly(disk, await disk.uploads.grant(anUpload()), from);
  const other = await disk.uploads.grant(anUpload());
  void sendSlowly(disk, other, "198.51.100.7");
  await expect.poll(() => arriving(disk)).toHaveLength(1);
  const oldest = begin("2001:db8:1:1::1");
  await expect.poll(() => arriving(disk)).toHaveLength(2);
  void begin("2001:db8:1:2::1");
  await expect.poll(() => arriving(disk)).toHaveLength(3);

  expect((await send(disk, "192.0.2.1")).status).toBe(200);
  expect(await oldest).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1\r\n/is);
  expect(await arriving(disk)).toHaveLength(2);
});

it("receives one upload at a time with a grant, the newest, so that a broken one can be repeated", async () => {
  const disk = await openDisk();
  onTestFinished(() => disk.close());
  const grant = await disk.uploads.grant(anUpload());
  const broken = sendSlowly(disk, grant, "192.0.2.1");
  await expect.poll(() => arriving(disk)).toHaveLength(1);

  expect((await send(disk, "192.0.2.1", grant)).status).toBe(200);
  expect(await broken).toMatch(/^HTTP\/1\.1 409 .*"reason":"UPLOAD_EXISTS"/s);
  expect(await arriving(disk)).toEqual([]);
});

it("stores no more files at a time than it may", async () => {
  const disk = await openDisk({ maxStoring: 0 });
  onTestFinished(() => disk.close());

  const refused = await send(disk, "192.0.2.1");

  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await arriving(disk)).toEqual([]);
});

it("can store nothing while its disk is nearly full", async () => {
  let freeShare = 0.06;
  const folder = await aFolder();
  const publicUrl = new URL(PUBLIC_ORIGIN);
  const options = { folder, secret: SECRET, publicUrl, maxBytes: MAX_BYTES };
  const uploads = await openDiskUploads({ ...options, freeShare: async () => freeShare });

  const before = await uploads.ping();
  freeShare = 0.04;

  expect([before, await uploads.ping()]).toEqual([true, false]);
});

it("removes at a start what a crash has left half-received, and nothing younger", async () => {
  const disk = await openDisk();
  const incoming = join(disk.folder, "incoming");
  await writeFile(join(incoming, "old"), "half");
  await writeFile(join(incoming, "young"), "half");
  await utimes(join(incoming, "old"), 0, 0);

  await openFolder(disk.folder);

  expect(await readdir(incoming)).toEqual(["young"]);
  await disk.close();
});

it("refuses a secret that is too short", async () => {
  await expect(openFolder("never-made", "short")).rejects.toThrow(RangeError);
});
