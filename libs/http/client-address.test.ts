import fc from "fast-check";
import { fastify } from "fastify";
import { expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";
import { startTestServer } from "./test-server.ts";
import { trustedProxies } from "./trusted-proxies.ts";

const isTrusted = trustedProxies(["10.0.0.0/8", "::1"]);
const anAddress = fc.constantFrom(
  "10.0.0.1",
  "10.9.9.9",
  "::1",
  "192.0.2.7",
  "203.0.113.4",
  "unknown",
  "",
  " ",
  "\t",
);

it("tells the address that Fastify tells, whatever the proxies said", async () => {
  const app = fastify({ trustProxy: isTrusted });
  app.get("/", (request) => ({
    fastify: request.ip,
    ours: clientAddress(request.raw, isTrusted),
  }));
  const forwarded = fc.option(
    fc.array(anAddress, { maxLength: 5 }).map((list) => list.join(", ")),
    { nil: undefined },
  );

  await fc.assert(
    fc.asyncProperty(fc.constantFrom("10.0.0.1", "192.0.2.1"), forwarded, async (remoteAddress, header) => {
      const headers = header === undefined ? {} : { "x-forwarded-for": header };

      const said: { fastify: string; ours: string } = (
        await app.inject({ url: "/", remoteAddress, headers })
      ).json();

      expect(said.ours).toBe(said.fastify);
    }),
  );
});

it("believes nobody where no proxy is trusted", async () => {
  const server = await startTestServer((app) => {
    app.get("/", (request) => ({ address: app.direct.addressOf(request.raw) }));
  });

  const response = await server.fetch("/", { headers: { "x-forwarded-for": "192.0.2.7" } });

  expect(await response.json()).toEqual({ address: "net 127.0.0.1" });
  await server.close();
});
