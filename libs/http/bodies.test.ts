import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startTestServer } from "./tests/test-server.ts";

afterEach(() => void vi.useRealTimers());

/** A server that takes 200 KiB of bodies under way, and says from whom it has read a whole one. */
async function aServer() {
  const arrived: string[] = [];
  const server = await startTestServer(
    (app) => {
      app.post("/take", async (request) => {
        arrived.push(request.ip);
        return { success: true };
      });
    },
    { trustProxy: ["127.0.0.1"], bodies: { mostBytes: 200 * 1024, stalledAfterMs: 10_000 } },
  );
  onTestFinished(() => server.close());
  return { ...server, arrived };
}

type Server = Awaited<ReturnType<typeof aServer>>;

/** Sends the head of a request and `sent` bytes of its body, and keeps the connection open. */
function aSlowBody({ origin }: Server, from: string, sent: number, announced = "100000") {
  const socket: Socket = connect(Number(new URL(origin).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const length = announced === "chunked" ? "transfer-encoding: chunked" : `content-length: ${announced}`;
  const head = `POST /take HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
  socket.write(announced === "chunked" ? head : head + " ".repeat(sent));
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  // The server may close while more of the body is on its way.
  socket.on("error", () => undefined);
  const answer = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  return { socket, answer };
}

function aSmallBody({ fetch }: Server, from: string) {
  return fetch("/take", {
    method: "POST",
    headers: { "x-forwarded-for": from, "content-type": "application/json" },
    body: "{}",
  });
}

it("refuses the oldest body of whoever has the most under way, and nobody else's", async () => {
  const server = await aServer();
  const modest = aSlowBody(server, "203.0.113.9", 10, "20000");
  await turn();

  const greedy = Array.from({ length: 4 }, (_, n) => aSlowBody(server, `2001:db8:1:${n}::1`, 40_000));
  const first = await Promise.any(greedy.map(({ answer }) => answer));
  const other = await aSmallBody(server, "198.51.100.7");
  modest.socket.write(`${" ".repeat(19_988)}{}`);
  await vi.waitFor(() => expect(server.arrived).toContain("203.0.113.9"));

  expect(first).toContain("HTTP/1.1 429 ");
  expect(first).toContain("retry-after: 1");
  expect(first).toContain("Too many bodies are under way from your network.");
  expect(other.status).toBe(200);
  expect(server.lines).toEqual([]);
});

it("bounds the number of bodies too, of which nothing has arrived", async () => {
  const server = await aServer();

  const many = Array.from({ length: 20 }, () => aSlowBody(server, "203.0.113.9", 0));
  const refused = await Promise.all(many.slice(0, 8).map(({ answer }) => answer));

  for (const answer of refused) expect(answer).toContain("HTTP/1.1 429 ");
  expect((await aSmallBody(server, "198.51.100.7")).status).toBe(200);
});

it("counts what a body takes that is sent in small pieces", async () => {
  const server = await aServer();
  const { socket, answer } = aSlowBody(server, "203.0.113.9", 0, "chunked");

  socket.write(`50\r\n${" ".repeat(80)}\r\n`.repeat(1_500));

  expect(await answer).toContain("HTTP/1.1 429 ");
});

it("cuts a body off that makes no progress for ten seconds, with 408", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "performance"] });
  const server = await aServer();
  const stalled = aSlowBody(server, "203.0.113.9", 10);
  const steady = aSlowBody(server, "203.0.113.9", 10);
  const received = () =>
    new Promise((resolve) => server.app.server.getConnections((_, count) => resolve(count)));
  await vi.waitFor(async () => expect(await received()).toBe(2));
  await turn();

  for (let second = 0; second < 12; second += 1) {
    steady.socket.write(" ");
    await new Promise((resolve) => setTimeout(resolve, 10));
    vi.advanceTimersByTime(1_000);
  }
  steady.socket.write(`${" ".repeat(99_976)}{}`);
  await vi.waitFor(() => expect(server.arrived).toHaveLength(1));

  expect(await stalled.answer).toContain("HTTP/1.1 408 ");
});
