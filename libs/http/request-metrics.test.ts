import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { createLogger, type LogLevel } from "./logger.ts";
import { measureRequests } from "./request-metrics.ts";
import { startTestServer } from "./tests/test-server.ts";

async function linesOf(level: LogLevel, slowMs: number) {
  const lines: string[] = [];
  const logger = createLogger({ level, name: "Placard test" }, { write: (line) => lines.push(line) });
  const { fetch, close } = await startTestServer(
    (app) => {
      measureRequests(app, new Registry(), slowMs);
      app.get("/v1/links/:token", async () => ({ ok: true }));
    },
    { logger },
  );
  onTestFinished(close);
  const answer = await fetch("/v1/links/secret-1?key=secret-2", { headers: { authorization: "secret-3" } });
  await answer.text();
  // The line is written once the answer has been sent.
  const ofRequests = () => lines.filter((line) => line.includes('"reqId"'));
  await expect.poll(ofRequests).toHaveLength(1);
  return { lines: ofRequests(), id: answer.headers.get("x-request-id") };
}

it("logs a slow request by its id, its route and how long it took, and no secret", async () => {
  const { lines, id } = await linesOf("warn", 0);

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 40,
      name: "Placard test",
      reqId: id,
      method: "GET",
      route: "/v1/links/:token",
      status: 200,
      ms: expect.any(Number),
      msg: "slow request",
    }),
  ]);
  expect(lines.join()).not.toContain("secret");
});

it("logs every request at level info, so that its id leads to it", async () => {
  const { lines, id } = await linesOf("info", Number.POSITIVE_INFINITY);

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 30, reqId: id, route: "/v1/links/:token", msg: "request" }),
  ]);
  expect(lines.join()).not.toContain("secret");
});
