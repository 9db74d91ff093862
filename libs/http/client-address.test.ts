import fc from "fast-check";
import { fastify } from "fastify";
import { expect, it } from "vitest";
import { clientAddress, trustedProxies } from "./client-address.ts";
import { startTestServer } from "./tests/test-server.ts";

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

it("trusts addresses and ranges of both families, and nobody else", () => {
  const isTrusted = trustedProxies(["10.1.0.0/16", "192.0.2.7", "fd00::/8", "::1"]);

  for (const address of ["10.1.0.0", "10.1.255.255", "192.0.2.7", "fd12::1", "::1", "::ffff:10.1.2.3"]) {
    expect([address, isTrusted(address), isTrusted(address)]).toEqual([address, true, true]);
  }
  for (const address of [
    "10.2.0.1",
    "192.0.2.8",
    "fe00::1",
    "::2",
    "::ffff:10.2.0.1",
    "",
    "unix",
    "10.1.0.0/16",
  ]) {
    expect([address, isTrusted(address), isTrusted(address)]).toEqual([address, false, false]);
  }
});

it.each(["", "proxy.example", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/x", "10.0.0/8"])(
  "refuses %j, which is no address and no range",
  (proxy) => {
    expect(() => trustedProxies([proxy])).toThrow(
      `TRUST_PROXY: "${proxy}" is no address and no range of addresses.`,
    );
  },
);
