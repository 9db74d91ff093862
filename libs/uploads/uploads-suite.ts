import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import type { ImageType } from "#libs/domain/image.ts";
import { GRANT_MS, type UploadGrant, type UploadRequest, type Uploads } from "./port.ts";

/** A store to test. `fetch` reaches the addresses that it gives out; `maxBytes` is the limit it was made with. */
export interface UploadsUnderTest {
  readonly uploads: Uploads;
  readonly maxBytes: number;
  fetch(url: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** The beginning of a PNG, filled up to the length. */
export function aPng(length = 200): Buffer<ArrayBuffer> {
  return Buffer.concat(
    [Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(length, 7)],
    length,
  );
}

/** A request for leave to upload `aPng()`. */
export function anUpload(given: Partial<UploadRequest> = {}): UploadRequest {
  const contentType: ImageType = "image/png";
  return {
    workspaceId: newId("workspace"),
    fileName: "logo.png",
    contentType,
    contentLength: 200,
    now: Date.now(),
    ...given,
  };
}

/** How every store of uploads behaves. */
export function testUploads(open: () => Promise<UploadsUnderTest>): void {
  let store: UploadsUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const send = (grant: UploadGrant, body: BodyInit, type: string = grant.headers["Content-Type"]) =>
    store.fetch(grant.uploadUrl, { method: "PUT", headers: { "Content-Type": type }, body });

  it("takes a file with a grant and gives the same bytes to everybody", async () => {
    const grant = await store.uploads.grant(anUpload());
    const before = [await store.uploads.find(grant.key), (await store.fetch(grant.publicUrl)).ok];

    const sent = await send(grant, aPng());
    const got = await store.fetch(grant.publicUrl);

    expect(before).toEqual([null, false]);
    expect(sent.status).toBe(200);
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await got.arrayBuffer())).toEqual(aPng());
    expect(await store.uploads.find(grant.key)).toMatchObject({
      contentType: "image/png",
      contentLength: 200,
    });
  });

  it("names the origins that its addresses lead to, and its limit, for the pages that upload", async () => {
    const { uploadUrl, publicUrl } = await store.uploads.grant(anUpload());

    expect(store.uploads.origins).toContain(new URL(uploadUrl).origin);
    expect(store.uploads.origins).toContain(new URL(publicUrl).origin);
    expect(store.uploads.maxBytes).toBe(store.maxBytes);
  });

  it("stores a file of the server's own where everybody finds it, and once where it is the same", async () => {
    const { workspaceId } = anUpload();
    const icon = { workspaceId, contentType: "image/x-icon", bytes: Buffer.from("00000100", "hex") } as const;

    const stored = await store.uploads.put(icon);
    const again = await Promise.all([store.uploads.put(icon), store.uploads.put(icon)]);
    const elsewhere = await store.uploads.put({ ...icon, workspaceId: newId("workspace") });

    const got = await store.fetch(stored.publicUrl);
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    expect(Buffer.from(await got.arrayBuffer())).toEqual(icon.bytes);
    expect(await store.uploads.find(stored.key)).toMatchObject({
      contentType: "image/x-icon",
      contentLength: 4,
    });
    expect(again).toEqual([stored, stored]);
    expect(elsewhere.key).not.toBe(stored.key);
  });

  it("lists the key of each file once, and of no grant that was not used", async () => {
    const granted = await store.uploads.grant(anUpload());
    const files = [1, 2].map((n) => ({
      ...anUpload(),
      contentType: "image/png" as const,
      bytes: aPng(200 + n),
    }));
    const stored = await Promise.all(files.map(async (file) => (await store.uploads.put(file)).key));

    const keys: string[] = [];
    for await (const key of store.uploads.keys()) keys.push(key);

    expect(keys).toEqual(expect.arrayContaining(stored));
    expect(keys).not.toContain(granted.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("refuses to store an own file that is empty, too large or of no workspace", async () => {
    const file = { workspaceId: newId("workspace"), contentType: "image/png", bytes: aPng() } as const;

    for (const wrong of [
      { bytes: Buffer.alloc(0) },
      { bytes: Buffer.alloc(store.maxBytes + 1) },
      { workspaceId: ".." },
    ]) {
      await expect(store.uploads.put({ ...file, ...wrong })).rejects.toThrow(RangeError);
    }
  });

  it("reads no more of a file than was asked for, and says how long it is", async () => {
    const grant = await store.uploads.grant(anUpload());
    await send(grant, aPng());

    const [start, whole, missing, nonsense] = await Promise.all([
      store.uploads.readStart(grant.key, 16),
      store.uploads.readStart(grant.key, 1_000),
      store.uploads.readStart((await store.uploads.grant(anUpload())).key, 16),
      store.uploads.readStart("../secrets", 16),
    ]);

    const file = { contentType: "image/png", contentLength: 200, version: expect.stringMatching(/./) };
    expect(start).toEqual({ ...file, start: aPng().subarray(0, 16) });
    expect(whole).toEqual({ ...file, start: aPng() });
    expect(start?.version).toBe(whole?.version);
    expect((await store.uploads.find(grant.key))?.version).toBe(start?.version);
    expect([missing, nonsense]).toEqual([null, null]);
  });

  it("removes files for everybody, and finds nothing wrong with those that are not there", async () => {
    const grants = await Promise.all(Array.from({ length: 3 }, () => store.uploads.grant(anUpload())));
    const [first, second, never] = grants.map(({ key }) => key);
    for (const grant of grants.slice(0, 2)) await send(grant, aPng());

    await store.uploads.remove([first ?? "", never ?? ""]);
    await store.uploads.remove([first ?? ""]);

    expect(await store.uploads.find(first ?? "")).toBeNull();
    expect((await store.fetch(grants[0]?.publicUrl ?? "")).ok).toBe(false);
    expect(await store.uploads.find(second ?? "")).not.toBeNull();
  });

  it("knows its own addresses from others", async () => {
    const grant = await store.uploads.grant(anUpload());
    const { publicUrl, key } = grant;
    const before = await store.uploads.addressOf(key);
    await send(grant, aPng());

    expect([before, await store.uploads.addressOf(key)]).toEqual([null, publicUrl]);
    expect(await store.uploads.addressOf("../secrets")).toBeNull();
    expect(store.uploads.locate(publicUrl)).toEqual({ key });
    expect(store.uploads.locate(`${publicUrl}?v=2`)).toEqual({ key: null });
    expect(store.uploads.locate(publicUrl.replace(".png", ".svg"))).toEqual({ key: null });
    expect(store.uploads.locate(`https://elsewhere.example/${key}`)).toBeNull();
  });

  it("never gives the same key twice, and keeps a workspace's files under its id", async () => {
    const request = anUpload({ fileName: "Photo.JPEG", contentType: "image/jpeg" });

    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => (await store.uploads.grant(request)).key),
    );

    expect(new Set(keys).size).toBe(20);
    for (const key of keys) {
      expect(key.startsWith(`${request.workspaceId}/`)).toBe(true);
      expect(key).toMatch(/^[^/]+\/[0-9a-f]{32}\.jpeg$/);
    }
  });

  it("grants a file of the largest size and refuses one more byte", async () => {
    const grant = await store.uploads.grant(anUpload({ contentLength: store.maxBytes }));

    expect((await send(grant, aPng(store.maxBytes))).status).toBe(200);
    await expect(store.uploads.grant(anUpload({ contentLength: store.maxBytes + 1 }))).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: expect.stringContaining(String(store.maxBytes)),
    });
  });

  it("refuses a workspace id that is none: it would become a path", async () => {
    for (const workspaceId of ["..", "", "ws_1", `${newId("workspace")}/..`, newId("ad")]) {
      await expect(store.uploads.grant(anUpload({ workspaceId }))).rejects.toThrow(RangeError);
    }
  });

  describe("refuses, and stores nothing,", () => {
    it.each<[string, (grant: UploadGrant) => Promise<Response>]>([
      ["a file that is longer than granted", (grant) => send(grant, aPng(201))],
      ["a file that is shorter than granted", (grant) => send(grant, aPng(199))],
      ["an empty file", (grant) => send(grant, "")],
      ["another type than granted", (grant) => send(grant, aPng(), "image/jpeg")],
      ["a page", (grant) => send(grant, aPng(), "text/html")],
      [
        "a grant for another key",
        async (grant) => {
          const other = await store.uploads.grant(anUpload());
          return send({ ...grant, uploadUrl: grant.uploadUrl.replace(grant.key, other.key) }, aPng());
        },
      ],
      ["no signature", (grant) => send({ ...grant, uploadUrl: grant.publicUrl }, aPng())],
    ])("%s", async (_what, attempt) => {
      const grant = await store.uploads.grant(anUpload());

      const answer = await attempt(grant);

      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(await store.uploads.find(grant.key)).toBeNull();
    });

    it("a grant that has run out", async () => {
      const grant = await store.uploads.grant(anUpload({ now: Date.now() - GRANT_MS - 1_000 }));

      const answer = await send(grant, aPng());

      expect(answer.status).toBe(403);
      expect(await store.uploads.find(grant.key)).toBeNull();
    });
  });

  it("finds nothing under what is no key", async () => {
    for (const key of [
      "",
      "..",
      "../secrets",
      `${newId("workspace")}/../x.png`,
      "a\u0000b",
      "x".repeat(1e5),
    ]) {
      expect(await store.uploads.find(key)).toBeNull();
    }
  });

  it("says that it is there", async () => {
    expect(await store.uploads.ping()).toBe(true);
  });
}
