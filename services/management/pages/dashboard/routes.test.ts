import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "#libs/http/tests/test-server.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { dashboardRoutes } from "./routes.ts";

const DOCUMENT = "<!doctype html><title>Placard</title>";
const SCRIPT = "export const page = 1;\n".repeat(100);
const SCRIPT_PATH = "/assets/page-1a2b3c.js";
const NAVIGATION = { "sec-fetch-mode": "navigate", accept: "text/html,*/*;q=0.8" };

/**
 * A server with the dashboard next to two routes of somebody else, and the folder that it serves. It is asked by `inject`:
 * Node's `fetch` says of itself that it is a script.
 */
async function serveDashboard(isBuilt = true): Promise<{ app: FastifyInstance; built: string }> {
  const built = await aFolder();
  if (isBuilt) await build(built);
  const server = await startTestServer(async (app) => {
    app.get("/v1/things/:id", async () => ({}));
    app.post("/v1/things/:id/count", async () => ({}));
    await dashboardRoutes(app, built);
  });
  onTestFinished(() => server.close());
  return { app: server.app, built };
}

async function build(folder: string): Promise<void> {
  const script = join(folder, SCRIPT_PATH);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), DOCUMENT);
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
}

it.each(["/", "/sign-in", "/w/ws_1/ads/ad_1?days=7", "/no/such/page"])(
  "shows the document to a browser that goes to %s, and has it revalidated each time",
  async (path) => {
    const { app } = await serveDashboard();

    const first = await app.inject({ url: path, headers: NAVIGATION });
    const { etag } = first.headers;
    const again = await app.inject({ url: path, headers: { ...NAVIGATION, "if-none-match": etag } });

    expect([first.statusCode, again.statusCode]).toEqual([200, 304]);
    expect(first.body).toBe(DOCUMENT);
    expect(first.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
    });
  },
);

it("takes a client that accepts HTML for a browser if it sends no fetch metadata", async () => {
  const { app } = await serveDashboard();

  const [browser, program] = await Promise.all(
    ["text/html", "application/json"].map((accept) => app.inject({ url: "/sign-in", headers: { accept } })),
  );

  expect([browser?.statusCode, program?.statusCode]).toEqual([200, 404]);
});

it.each([
  ["an endpoint that is none", "/v1/nonsense", NAVIGATION],
  ["a way of signing in that is none", "/api/auth/nonsense", NAVIGATION],
  ["an upload that is none", "/uploads/nothing.png", NAVIGATION],
  ["a page of the sandbox that is none", "/sandbox/nonsense", NAVIGATION],
  ["a placement's page that is none", "/advertise/nobody", NAVIGATION],
  ["a file of an earlier build", "/assets/page-0f0f0f.js", NAVIGATION],
  ["a file outside of the folder", "/assets/..%2Findex.html", NAVIGATION],
  ["a file that nobody has", "/robots.txt", NAVIGATION],
  ["a script's question", "/w/ws_1/ads", { "sec-fetch-mode": "cors", accept: "text/html" }],
  ["a program's question", "/sign-in", {}],
])("leaves %s a 404 in the envelope", async (_case, path, headers) => {
  const { app } = await serveDashboard();

  const response = await app.inject({ url: path, headers });

  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: "NOT_FOUND", status: 404 });
});

it("leaves a known path with a wrong method a 405, and an unknown one a 404 by any method", async () => {
  const { app } = await serveDashboard();

  const known = await app.inject({ url: "/v1/things/1/count", headers: NAVIGATION });
  const unknown = await app.inject({ url: "/v1/nonsense", method: "POST" });

  expect([known.statusCode, known.headers.allow]).toEqual([405, "POST"]);
  expect(unknown.statusCode).toBe(404);
});

it.each([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
])("sends a file as the build has compressed it (%s), to be kept for ever", async (encoding, decompress) => {
  const { app } = await serveDashboard();

  const response = await app.inject({ url: SCRIPT_PATH, headers: { "accept-encoding": encoding } });

  expect(decompress(response.rawPayload).toString()).toBe(SCRIPT);
  expect(response.headers).toMatchObject({
    "content-type": "application/javascript; charset=utf-8",
    "content-encoding": encoding,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
});

it("sends a file uncompressed to a client that accepts no encoding", async () => {
  const { app } = await serveDashboard();

  const response = await app.inject({ url: SCRIPT_PATH });

  expect(response.headers["content-encoding"]).toBeUndefined();
  expect(response.body).toBe(SCRIPT);
});

it("says how to build the pages before they are built, and shows them as soon as they are", async () => {
  const { app, built } = await serveDashboard(false);

  const before = await app.inject({ url: "/", headers: NAVIGATION });
  await build(built);
  const after = await app.inject({ url: "/", headers: NAVIGATION });

  expect([before.statusCode, after.statusCode]).toEqual([503, 200]);
  expect(before.body).toContain("npm run build");
});
