import { once } from "node:events";
import { Agent, get, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { startTestServer } from "./tests/test-server.ts";

it("answers the request under way and closes, though its client would keep the connection", async () => {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const server = await startTestServer((app) => {
    app.get("/slow", () => {
      arrived.resolve();
      return answer.promise;
    });
  });
  const agent = new Agent({ keepAlive: true });
  const asked = get(`${server.origin}/slow`, { agent });
  await arrived.promise;

  const closed = server.close();
  await new Promise((resolve) => setImmediate(resolve));
  answer.resolve("done");
  const [response] = await once(asked, "response");

  expect(await text(response)).toBe("done");
  await closed;
  agent.destroy();
}, 5_000);

it("behind a proxy answers what arrives on a connection that was idle, and then ends it", async () => {
  const server = await startTestServer((app) => void app.post("/", () => "done"), {
    trustProxy: ["127.0.0.1"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async () => {
    const [response] = await once(request(server.origin, { agent, method: "POST" }).end(), "response");
    return { body: await text(response), connection: response.headers.connection };
  };
  const before = await post();

  const closed = server.close();
  await vi.waitFor(() => expect(server.app.server.listening).toBe(false), { interval: 1 });
  const meanwhile = await post();

  expect(before).toEqual({ body: "done", connection: "keep-alive" });
  expect(meanwhile).toEqual({ body: "done", connection: "close" });
  await closed;
}, 5_000);

it.each([
  ["nothing", ""],
  ["half of a head", "POST / HTTP/1.1\r\nhost: x\r\n"],
  [
    "half of a body",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n12",
  ],
])(
  "closes, with a proxy and without, though %s arrives on a connection",
  async (_what, bytes) => {
    const servers = await Promise.all(
      [["127.0.0.1"], false as const].map((trustProxy) =>
        startTestServer((app) => void app.post("/", () => "done"), { trustProxy }),
      ),
    );
    const clients = await Promise.all(
      servers.map(async ({ app, origin }) => {
        const accepted = once(app.server, "connection");
        const client = connect(Number(new URL(origin).port), "127.0.0.1");
        client.write(bytes);
        await accepted;
        return client;
      }),
    );
    const ended = clients.map((client) => once(client, "close"));

    const closed = servers.map((server) => server.close());

    await Promise.all([...closed, ...ended]);
  },
  10_000,
);

it("answers the first request of a connection that was opened just before", async () => {
  const server = await startTestServer((app) => void app.post("/", () => "done"));
  const accepted = once(server.app.server, "connection");
  const client = connect(Number(new URL(server.origin).port), "127.0.0.1");
  await accepted;

  const closed = server.close();
  await vi.waitFor(() => expect(server.app.server.listening).toBe(false), { interval: 1 });
  client.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n");

  expect(await text(client)).toContain("done");
  await closed;
}, 5_000);
