import { Counter, Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import { isPrivateAddress } from "./client-address.ts";
import { type HealthOptions, registerHealth } from "./health.ts";
import { createLogger } from "./logger.ts";
import { measureRequests } from "./request-metrics.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

const logger = createLogger({ level: "silent" });
const up = { name: "database", check: async () => true };

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(
  options: Partial<Omit<HealthOptions, "metrics">> & { readonly metrics?: Registry },
  trustProxy: false | string[] = false,
): Promise<TestServer> {
  const metrics = new Registry();
  server = await startTestServer(
    (app) => {
      measureRequests(app, options.metrics ?? metrics, 1_000);
      app.get("/v1/ads/:adId", async () => ({ ok: true }));
      const usual = {
        logger,
        checks: [up],
        shutdown: { started: false },
        metrics,
        metricsFor: "inside",
      } as const;
      registerHealth(app, { ...usual, ...options });
    },
    { trustProxy },
  );
  return server;
}

describe("readiness", () => {
  it("is given when every check passes", async () => {
    const { fetch } = await start({ notes: ["payments: sandbox"] });

    const response = await fetch("/readyz");

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ready: true,
      stopping: false,
      checks: { database: "up" },
      notes: ["payments: sandbox"],
    });
  });

  it.each([
    ["says no", async () => false],
    ["throws", () => Promise.reject(new Error("refused"))],
    [
      "throws at once",
      () => {
        throw new Error("refused");
      },
    ],
    ["never answers", () => new Promise<boolean>(() => {})],
  ])("is refused with the name of the check that %s", async (_case, check) => {
    const { fetch } = await start({ checks: [up, { name: "log", check }] });

    const response = await fetch("/readyz");

    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ ready: false, checks: { database: "up", log: "down" } });
  });

  it("does not depend on watched checks, and lists them", async () => {
    const { fetch } = await start({ watched: [{ name: "Redis", check: async () => false }] });

    const response = await fetch("/readyz");

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ready: true, checks: { database: "up", Redis: "down" } });
  });

  it("names the functions that work, and those that need something that is down", async () => {
    const { fetch } = await start({
      watched: [{ name: "event log", check: async () => false }],
      functions: { ads: ["database"], tracking: ["database", "event log"] },
    });

    const response = await fetch("/readyz");

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ functions: { ads: "up", tracking: "down" } });
  });

  it("ends with the beginning of the shutdown, while the process still lives", async () => {
    const { fetch } = await start({ shutdown: { started: true } });

    const [ready, live] = await Promise.all([fetch("/readyz"), fetch("/livez")]);

    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ stopping: true });
    expect(live.status).toBe(200);
  });

  it("asks once, however many want to know at the same time", async () => {
    let asked = 0;
    const answer = Promise.withResolvers<boolean>();
    const check = () => {
      asked += 1;
      return answer.promise;
    };
    const { app, fetch } = await start({ checks: [{ name: "database", check }] });
    let arrived = 0;
    app.server.on("request", () => {
      arrived += 1;
      if (arrived === 5) answer.resolve(true);
    });

    const responses = await Promise.all(Array.from({ length: 5 }, () => fetch("/readyz")));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(asked).toBe(1);
  });
});

describe("metrics", () => {
  it("tell requests by method, route and status, with one label for all unknown paths", async () => {
    const { fetch } = await start({});
    await Promise.all(["/v1/ads/1", "/v1/ads/2", "/unknown-1", "/unknown-2"].map((path) => fetch(path)));

    const text = await (await fetch("/metrics")).text();

    expect(text).toContain(
      'placard_http_request_duration_seconds_count{method="GET",route="/v1/ads/:adId",status="200"} 2',
    );
    expect(text).toContain(
      'placard_http_request_duration_seconds_count{method="any",route="unknown",status="404"} 2',
    );
    expect(text).not.toContain("unknown-1");
  });

  it("include what others put in the registry", async () => {
    const metrics = new Registry();
    new Counter({ name: "spilled_total", help: "Batches spilled", registers: [metrics] }).inc(3);
    const { fetch } = await start({ metrics });

    const text = await (await fetch("/metrics")).text();

    expect(text).toContain("spilled_total 3");
  });

  it.each([
    ["a caller from outside through a trusted proxy", "203.0.113.7", ["127.0.0.1"], "inside" as const, 404],
    ["a caller through a proxy that is not trusted", "10.0.0.7", false as const, "inside" as const, 404],
    ["a private caller through a trusted proxy", "10.0.0.7", ["127.0.0.1"], "inside" as const, 200],
    ["anybody where a network in front decides", "203.0.113.7", ["127.0.0.1"], "everyone" as const, 200],
  ])("for %s", async (_case, forwardedFor, trustProxy, metricsFor, status) => {
    const { fetch } = await start({ metricsFor }, trustProxy);

    const response = await fetch("/metrics", { headers: { "x-forwarded-for": forwardedFor } });

    expect(response.status).toBe(status);
  });

  it.each([
    ["127.0.0.1", true],
    ["::1", true],
    ["::ffff:10.1.2.3", true],
    ["172.31.0.1", true],
    ["172.32.0.1", false],
    ["fd00::1", true],
    ["2001:db8::1", false],
    ["::ffff:203.0.113.7", false],
    ["not an address", false],
  ])("take %s for inside: %s", (address, inside) => {
    expect(isPrivateAddress(address)).toBe(inside);
  });
});
