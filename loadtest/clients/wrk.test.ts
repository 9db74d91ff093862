import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { numberedPath, numberOf } from "./numbers.ts";
import { hasWrk, isForWrk, runWrk } from "./wrk.ts";

const LOAD = { method: "POST" as const, duration: 0.5, connections: 4 };

async function startServer(status: number): Promise<{ origin: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.writeHead(status, { "content-length": 2 }).end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, seen };
}

it.runIf(hasWrk())("sends each request of a load from a visitor of its own", async () => {
  const { origin, seen } = await startServer(200);
  const load = {
    ...LOAD,
    origin,
    paths: ["/a", "/b"],
    headers: { "user-agent": "a" },
    visitorsPerConnection: 1,
  };

  const loads = [await runWrk(load), await runWrk(load)];

  const answered = loads.reduce((sum, load) => sum + load.answered, 0);
  const sent = loads.reduce((sum, load) => sum + load.sent, 0);
  expect(answered).toBeGreaterThan(0);
  expect(loads.map(({ failed }) => failed)).toEqual([0, 0]);
  expect(seen.length).toBeGreaterThanOrEqual(answered);
  expect(seen.length).toBeLessThanOrEqual(sent);
  expect(new Set(seen.map(({ headers }) => headers["x-forwarded-for"])).size).toBe(seen.length);
  expect(
    new Set(seen.map(({ method, url, headers }) => `${method} ${url} ${headers["user-agent"]}`)),
  ).toEqual(new Set(["POST /a a", "POST /b a"]));
});

it.runIf(hasWrk())("asks for the numbers of a range as the other client does", async () => {
  const { origin, seen } = await startServer(200);
  const numbered = { first: 500, count: 100 };

  await runWrk({ ...LOAD, origin, method: "GET", paths: ["/ad_#/x"], numbered });

  const all = Array.from({ length: 100 }, (_, turn) => numberedPath("/ad_#/x", numberOf(turn, numbered)));
  for (const { url = "" } of seen) expect(all).toContain(url);
});

it.runIf(hasWrk())("counts refusals as failures", async () => {
  const { origin } = await startServer(503);

  const { answered, failed } = await runWrk({ ...LOAD, origin, paths: ["/"] });

  expect(answered).toBe(0);
  expect(failed).toBeGreaterThan(0);
});

it("leaves loads with a rate, an amount or several kinds of requests to the other client", () => {
  const load = { ...LOAD, origin: "http://127.0.0.1:1", paths: ["/"] };

  expect(isForWrk(load)).toBe(true);
  expect(
    [{ rate: 1 }, { amount: 1 }, { mix: [{ method: "GET" as const, path: "/" }] }].map((more) =>
      isForWrk({ ...load, ...more }),
    ),
  ).toEqual([false, false, false]);
});
