import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import type { ServerOptions } from "./server.ts";
import { startTestServer } from "./tests/test-server.ts";

/** A route, and a direct answer to its plain form. */
async function start(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
  options: Partial<ServerOptions> = {},
) {
  const server = await startTestServer((app: FastifyInstance) => {
    app.get("/thing", async () => "the long way");
    app.direct.add("GET", answer);
  }, options);
  onTestFinished(() => server.close());
  return server;
}

function answerDirectly(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== "/thing") return false;
  response.writeHead(200).end("directly");
  return true;
}

it("answers what it takes, and leaves the rest to the routes and their errors", async () => {
  const server = await start(answerDirectly);

  const taken = await server.fetch("/thing");
  const left = await server.fetch("/thing?with=more");
  const unknown = await server.fetch("/other");
  const otherMethod = await server.fetch("/thing", { method: "HEAD" });

  expect(await taken.text()).toBe("directly");
  expect(await left.text()).toBe("the long way");
  expect(unknown.status).toBe(404);
  expect(otherMethod.headers.get("content-length")).toBe("12");
});

it("sends a request the long way when the direct one fails, and drops it when that has begun to answer", async () => {
  const server = await start((request, response) => {
    if (request.headers["x-late"] !== undefined) response.writeHead(200).write("half ");
    throw new Error("the password is swordfish");
  });

  const early = await server.fetch("/thing");

  expect(await early.text()).toBe("the long way");
  await expect(
    server.fetch("/thing", { headers: { "x-late": "1" } }).then((late) => late.text()),
  ).rejects.toThrow();
});

it("redirects what came by plain http to an https service", async () => {
  const server = await start(answerDirectly, { publicUrl: new URL("https://ads.example.com") });

  const plain = await server.fetch("/thing", { headers: { "x-forwarded-proto": "http" } });
  const secure = await server.fetch("/thing", { headers: { "x-forwarded-proto": "https" } });
  const fromInside = await server.fetch("/thing");

  expect([plain.status, plain.headers.get("location")]).toEqual([308, "https://ads.example.com/thing"]);
  expect(await secure.text()).toBe("directly");
  expect(await fromInside.text()).toBe("directly");
});

it("answers directly what came by plain http to a service that is not https only", async () => {
  const server = await start(answerDirectly);

  const plain = await server.fetch("/thing", { headers: { "x-forwarded-proto": "http" } });

  expect(await plain.text()).toBe("directly");
});

it("tells who asks on an open connection while the server closes that the connection ends", async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const arrived = Promise.withResolvers<void>();
  const server = await start((request, response) => {
    if (request.url !== "/held") return answerDirectly(request, response);
    held.resolve(response);
    return true;
  });
  server.app.server.on("request", ({ url }) => url === "/thing" && arrived.resolve());
  const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
  const received = text(socket);
  socket.write("GET /held HTTP/1.1\r\nhost: a\r\n\r\n");
  const response = await held.promise;

  const closed = server.close();
  socket.write("GET /thing HTTP/1.1\r\nhost: a\r\n\r\n");
  await arrived.promise;
  response.writeHead(200).end("held");
  await closed;

  const answers = (await received).split("HTTP/1.1 ").slice(1);
  expect(answers).toHaveLength(2);
  expect(answers[1]?.toLowerCase()).toContain("connection: close");
});

it("takes one answer for a method", async () => {
  const server = await start(answerDirectly);

  expect(() => server.app.direct.add("GET", answerDirectly)).toThrow(
    "There is a direct answer to GET already.",
  );
});
