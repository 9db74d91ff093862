import { afterAll, beforeAll, expect, it } from "vitest";
import { foreignTargets, statusOfTarget } from "#libs/testing/raw-target.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer((app) => {
    app.get("/v1/ads/:adId", async () => ({ ok: true }));
    app.get("/*", async () => ({ page: true }));
  });
});
afterAll(() => server.close());

it.each(foreignTargets("/v1/ads/ad_1"))("answers 404 to %s before any route", async (target) => {
  expect(await statusOfTarget(server.origin, target)).toBe(404);
});

it.each(["/v1/ads/ad_1\u0000", "/v1/ads/\tad_1", "http://"])("answers %j with 400 or 404", async (target) => {
  expect([400, 404]).toContain(await statusOfTarget(server.origin, target));
});

it.each(["/v1/ads/ad_1", "/v1/ads/a%20b%2Fc", "/v1/ads/ad_1?path=../..\\x", "/any//page"])(
  "serves %s, which is a path of its own",
  async (target) => {
    expect(await statusOfTarget(server.origin, target)).toBe(200);
  },
);

it("answers in the envelope, with the request's id", async () => {
  const answer = await server.sendRaw("GET /v1\\ads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");

  expect(answer).toContain('"code":"NOT_FOUND"');
  expect(answer).toMatch(/x-request-id: [\w-]+/);
});
