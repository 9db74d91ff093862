import Fastify from "fastify";
import { expect, it } from "vitest";
import { privacySignalRoutes } from "./privacy-signal.ts";

it("says that Global Privacy Control is honoured, and since when", async () => {
  const app = Fastify();
  privacySignalRoutes(app);

  const answer = await app.inject("/.well-known/gpc.json");

  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.json()).toEqual({ gpc: true, lastUpdate: expect.stringMatching(/^2026-\d\d-\d\d$/) });
});
