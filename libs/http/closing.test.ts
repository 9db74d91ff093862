import { once } from "node:events";
import { Agent, get, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { startTestServer } from "./test-server.ts";

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
