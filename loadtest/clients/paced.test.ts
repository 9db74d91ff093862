import { fastify } from "fastify";
import { afterAll, expect, it } from "vitest";
import { sendPaced } from "./paced.ts";

const asked: string[] = [];
let held = Promise.withResolvers<void>();
held.resolve();
const app = fastify();
app.all("/*", async ({ method, url }) => {
  asked.push(`${method} ${url}`);
  await held.promise;
  return url === "/wrong" ? "something else" : "ads";
});
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.close());

const RATE = 100;
const LOAD = { origin, connections: 4, duration: 0.2, expectStatus: "2xx" } as const;

it("sends requests at the rate, in turn", async () => {
  asked.length = 0;

  const result = await sendPaced(LOAD, RATE, (nth) =>
    nth % 2 === 0 ? { method: "GET", path: "/a" } : { method: "POST", path: "/b" },
  );

  expect(result).toMatchObject({ sent: 20, answered: 20, failed: 0 });
  expect(asked.toSorted()).toEqual([...Array(10).fill("GET /a"), ...Array(10).fill("POST /b")]);
});

it("continues to send to a server that does not answer, beyond its connections, and times from when each was due", async () => {
  held = Promise.withResolvers<void>();

  const sending = sendPaced({ ...LOAD, connections: 1 }, RATE, () => ({ method: "GET", path: "/a" }));
  setTimeout(() => held.resolve(), 400);
  const result = await sending;

  expect(result).toMatchObject({ sent: 20, answered: 20, failed: 0 });
  // The first was held for 400 ms; the last, due 190 ms after it, waited in line for the rest of that.
  expect(result.p50).toBeGreaterThan(200);
});

it("counts other answers, and none at all, as failed", async () => {
  expect(
    await sendPaced({ ...LOAD, expectBody: "ads" }, RATE, () => ({ method: "GET", path: "/wrong" })),
  ).toMatchObject({
    failed: 20,
  });
  expect(
    await sendPaced({ ...LOAD, expectStatus: "3xx" }, RATE, () => ({ method: "GET", path: "/a" })),
  ).toMatchObject({
    failed: 20,
  });
  expect(
    await sendPaced({ ...LOAD, origin: "http://127.0.0.1:1" }, RATE, () => ({ method: "GET", path: "/a" })),
  ).toMatchObject({
    answered: 0,
    failed: 20,
  });
});
