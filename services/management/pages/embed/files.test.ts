import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { registerSecurityHeaders } from "#libs/http/index.ts";
import { startTestServer, type TestServer } from "#libs/http/tests/test-server.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { serveEmbed } from "./routes.ts";

async function serve(isBuilt = true): Promise<TestServer> {
  const built = await aFolder();
  if (isBuilt) {
    await writeFile(join(built, "embed.js"), "/* script */");
    await writeFile(join(built, "embed.js.gz"), "compressed");
    await writeFile(join(built, "embed.d.mts"), "export {};");
  }
  const server = await startTestServer(async (app) => {
    await registerSecurityHeaders(app, { https: false });
    await serveEmbed(app, app.log, built);
  });
  onTestFinished(() => server.close());
  return server;
}

it("lets any site load the script, and ask whether it is still the same", async () => {
  const { app } = await serve();

  const first = await app.inject({ url: "/embed.js" });
  const again = await app.inject({ url: "/embed.js", headers: { "if-none-match": first.headers.etag } });

  expect([first.statusCode, first.body, again.statusCode]).toEqual([200, "/* script */", 304]);
  expect(first.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=600, stale-while-revalidate=86400",
    "content-type": "application/javascript; charset=utf-8",
  });
});

it("sends it as the build has compressed it", async () => {
  const { app } = await serve();

  const response = await app.inject({ url: "/embed.js", headers: { "accept-encoding": "gzip" } });

  expect(response.body).toBe("compressed");
  expect(response.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
});

it("shows types as text", async () => {
  const { app } = await serve();

  const response = await app.inject({ url: "/embed.d.mts" });

  expect(response.headers["content-type"]).toBe("text/plain; charset=utf-8");
});

it("has no other address", async () => {
  const { app } = await serve();

  const statuses = await Promise.all(
    ["/embed.js.gz", "/embed", "/other.js", "/..%2Fpackage.json"].map(
      async (url) => (await app.inject({ url })).statusCode,
    ),
  );

  expect(statuses).toEqual([404, 404, 404, 404]);
});

it("says at the start that it was not built", async () => {
  const { app, lines } = await serve(false);

  expect((await app.inject({ url: "/embed.js" })).statusCode).toBe(404);
  expect(lines.join()).toContain("npm run build");
});
