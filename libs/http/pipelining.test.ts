import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { startTestServer } from "./tests/test-server.ts";

/** Sends all requests at once, and returns the connection. */
function send(origin: string, paths: readonly string[]): Socket {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a.example\r\n\r\n`).join(""));
  return socket;
}

async function aServer() {
  const handled: string[] = [];
  const server = await startTestServer((app) => {
    app.get("/held", () => new Promise<never>(() => undefined));
    app.get("/late", async () => {
      handled.push("late begins");
      await new Promise(setImmediate);
      handled.push("late ends");
      return "late";
    });
    app.get("/:name", async ({ url }) => {
      handled.push(url);
      return "x";
    });
    app.direct.add("GET", ({ url = "" }, response) => {
      if (url !== "/direct") return false;
      handled.push(url);
      response.end("x");
      return true;
    });
  });
  onTestFinished(() => server.close());
  return { ...server, handled };
}

it("handles the requests of a connection one after the other, whichever way they are answered", async () => {
  const { origin, handled } = await aServer();
  const socket = send(origin, ["/late", "/direct", "/late", "/last"]);

  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.split("HTTP/1.1 200").length > 4 && text.endsWith("x")) break;
  }

  expect(handled).toEqual(["late begins", "late ends", "/direct", "late begins", "late ends", "/last"]);
});

it("handles one waiting request of a connection in a turn of the event loop", async () => {
  let turn = 0;
  let isOver = false;
  const handledIn: number[] = [];
  const gate = Promise.withResolvers<string>();
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const { origin, close } = await startTestServer((app) => {
    app.get("/first", () => gate.promise);
    app.direct.add("GET", ({ url }, response) => {
      if (url === "/first") return false;
      handledIn.push(turn);
      response.end("x");
      return true;
    });
  });
  onTestFinished(() => close());
  onTestFinished(() => {
    isOver = true;
  });
  count();

  send(origin, ["/first", "/1", "/2", "/3", "/4"]).resume();
  gate.resolve("x");
  await vi.waitUntil(() => handledIn.length === 4, { timeout: 20_000, interval: 5 });

  expect(new Set(handledIn).size).toBe(4);
});

it("closes a connection on which hundreds of requests wait, and handles none of them", async () => {
  const { origin, handled } = await aServer();
  const socket = send(origin, ["/held", ...Array.from({ length: 500 }, (_, n) => `/${n}`)]);

  socket.resume();
  await once(socket, "close");

  expect(handled).toEqual([]);
});
