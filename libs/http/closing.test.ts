import { once } from "node:events";
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
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
  const request = get(`${server.origin}/slow`, { agent });
  await arrived.promise;

  const closed = server.close();
  await new Promise((resolve) => setImmediate(resolve));
  answer.resolve("done");
  const [response] = await once(request, "response");

  expect(await text(response)).toBe("done");
  await closed;
  agent.destroy();
}, 5_000);
