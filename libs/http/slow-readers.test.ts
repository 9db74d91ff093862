import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { expect, it, onTestFinished, vi } from "vitest";
import { aCertificate, type Certificate } from "#libs/mail/tests/certificate.ts";
import type { ServerOptions } from "./server.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

const STALLED_MS = 100;
/** More than the kernel takes for a reader that does not read. */
const LENGTH = 16 * 1024 * 1024;

async function aServer(
  stalledMs = STALLED_MS,
  tls?: Certificate,
  bounds: Pick<ServerOptions, "trustProxy" | "mostUnsentBytes"> = { trustProxy: false },
): Promise<TestServer> {
  const server = await startTestServer(
    (app) => {
      app.direct.add("GET", ({ url }, response) => {
        if (url === "/direct") response.end("x".repeat(LENGTH));
        return url === "/direct";
      });
      app.get("/whole", async () => "x".repeat(LENGTH));
      app.get("/streamed", (_request, reply) => {
        const parts = Array.from({ length: 64 }, () => "x".repeat(LENGTH / 64));
        return reply.type("text/csv").send(Readable.from(parts, { objectMode: false }));
      });
      app.get("/late", async () => {
        await pause(4 * STALLED_MS);
        return "done";
      });
    },
    { stalledMs, tls, ...bounds },
  );
  onTestFinished(() => server.close());
  return server;
}

function ask(
  { origin }: TestServer,
  path: string,
  protocol = "http",
  from = "203.0.113.9",
  headers = "",
): Socket {
  const place = { port: Number(new URL(origin).port), host: "127.0.0.1", rejectUnauthorized: false };
  const socket = protocol === "https" ? connectTls(place) : connect(place);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a.example\r\nx-forwarded-for: ${from}\r\n${headers}\r\n`);
  return socket;
}

it.each(["/whole", "/streamed"])(
  "closes connections that never read their answer to GET %s",
  async (path) => {
    const server = await aServer();
    const open = new Set<Socket>();
    let accepted = 0;
    server.app.server.on("connection", (socket: Socket) => {
      open.add(socket);
      accepted += 1;
      socket.once("close", () => open.delete(socket));
    });

    for (let reader = 0; reader < 40; reader += 1) ask(server, path).pause();

    await vi.waitFor(() => expect([accepted, open.size]).toEqual([40, 0]), 20_000);
  },
  30_000,
);

it("closes a connection that never reads its answer and sends empty lines", async () => {
  const server = await aServer(1_000);
  const closed = vi.fn();
  server.app.server.on("connection", (socket: Socket) => socket.once("close", closed));
  const reader = ask(server, "/whole").pause();
  const lines = setInterval(() => reader.write("\r\n"), 50);
  onTestFinished(() => clearInterval(lines));

  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce(), 6_000);
});

it.each([
  ["/whole", "http"],
  ["/streamed", "http"],
  ["/whole", "https"],
  ["/streamed", "https"],
])(
  "sends the whole answer to GET %s over %s to a reader that is slow",
  async (path, protocol) => {
    // The kernel passes a slow reader's answer on in steps of a megabyte or two.
    const stalledMs = 1_000;
    const tls = protocol === "https" ? await aCertificate("IP:127.0.0.1") : undefined;
    const socket = ask(await aServer(stalledMs, tls), path, protocol);
    let received = 0;
    const began = performance.now();

    for await (const chunk of socket) {
      received += chunk.length;
      if (received > LENGTH) break;
      const due = began + 2.2 * stalledMs * (received / LENGTH);
      await pause(Math.max(0, due - performance.now()));
    }

    expect(received).toBeGreaterThan(LENGTH);
    expect(performance.now() - began).toBeGreaterThan(2 * stalledMs);
  },
  30_000,
);

it("waits for an answer that takes longer to make, and keeps an idle connection as long as before", async () => {
  const server = await aServer();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const portOf = async (path: string) => {
    const [response] = await once(get(`${server.origin}${path}`, { agent }), "response");
    const port = response.socket.localPort;
    response.resume();
    await once(response, "end");
    return { status: response.statusCode, port };
  };

  const late = await portOf("/late");
  await pause(2 * STALLED_MS);
  const again = await portOf("/late");

  expect(late.status).toBe(200);
  expect(again).toEqual(late);
});

it.each([
  ["/whole", "http", ""],
  ["/direct", "http", ""],
  ["/direct", "http", "expect: x\r\n"],
  ["/whole", "https", ""],
  ["/direct", "https", ""],
])(
  "cuts off the oldest unread answer to GET %s over %s of the network that has most of them, and nobody else's (%j)",
  async (path, protocol, headers) => {
    const tls = protocol === "https" ? await aCertificate("IP:127.0.0.1") : undefined;
    const server = await aServer(60_000, tls, {
      trustProxy: ["127.0.0.1"],
      mostUnsentBytes: 3.5 * LENGTH,
    });
    let accepted = 0;
    const closed: number[] = [];
    server.app.server.on("connection", (socket: Socket) => {
      const nth = accepted++;
      socket.once("close", () => closed.push(nth));
    });
    const readers: Socket[] = [];
    for (const from of ["203.0.113.9", ...[1, 2, 3].map((n) => `2001:db8:1:${n}::1`)]) {
      const reader = ask(server, path, protocol, from, headers).pause();
      readers.push(reader);
      await vi.waitFor(() => expect(accepted).toBe(readers.length), 5_000);
    }
    const [modest] = readers;
    if (modest === undefined) throw new Error("nobody reads");

    await vi.waitFor(() => expect(closed).toEqual([1]), 20_000);
    let received = 0;
    for await (const chunk of modest) {
      received += chunk.length;
      if (received > LENGTH) break;
    }

    expect(received).toBeGreaterThan(LENGTH);
  },
  30_000,
);
