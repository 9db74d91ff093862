import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { insistOnLargePieces } from "./small-pieces.ts";
import { startTestServer } from "./tests/test-server.ts";

async function aServer() {
  const taken: number[] = [];
  const server = await startTestServer((app) => {
    app.post("/take", async ({ body }) => {
      taken.push(JSON.stringify(body).length);
      return { success: true };
    });
    app.get("/look", () => new Promise<never>(() => undefined));
    app.direct.add("GET", ({ url }, response) => {
      if (url !== "/early") return false;
      response.end("x");
      return true;
    });
  });
  onTestFinished(() => server.close());
  return { ...server, taken };
}

/** Sends a chunked body, and resolves with all that is answered until the connection closes. */
async function send(
  origin: string,
  target: string,
  chunks: readonly string[],
  headers = "",
): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  socket.write(
    `${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\n${headers}transfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
  );
  return await new Promise((resolve) => socket.once("close", () => resolve(answer)));
}

it("refuses a body in thousands of tiny chunks, says why, and closes the connection", async () => {
  const server = await aServer();

  const answer = await send(server.origin, "POST /take", [
    "{",
    ...Array.from({ length: 9_000 }, () => " "),
    "}",
  ]);

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("The body came in too many small pieces.");
  expect(server.taken).toEqual([]);
});

it("refuses it also where nobody reads a body", async () => {
  const server = await aServer();

  const answer = await send(
    server.origin,
    "GET /look",
    Array.from({ length: 9_000 }, () => "x"),
  );

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

it("refuses it also where the request expects something that nobody knows", async () => {
  const server = await aServer();
  const chunks = Array.from({ length: 9_000 }, () => " ");

  const answer = await send(server.origin, "POST /take", chunks, "expect: x\r\n");
  const sound = await send(server.origin, "POST /take", ["[]"], "expect: x\r\n");

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(sound).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  ["a few tiny chunks", 90, 1],
  ["thousands of chunks of a field each", 5_000, 20],
])("takes a body in %s", async (_what, count, size) => {
  const server = await aServer();
  const chunks = Array.from({ length: count }, () => " ".repeat(size));

  const answer = await send(server.origin, "POST /take", ["[", ...chunks, "]"]);

  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.taken).toEqual([2]);
});

it("refuses a body of a known length in the same way, where it arrives byte by byte", async () => {
  const server = await aServer();
  const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.setNoDelay().on("error", () => undefined);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  socket.write(
    "POST /take HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90000\r\n\r\n",
  );

  while (answer === "") {
    socket.write(" ");
    await new Promise(setImmediate);
  }

  expect(answer).toContain("The body came in too many small pieces.");
});

it("refuses what still arrives in tiny pieces after an answer that did not wait for it", async () => {
  const { origin } = await aServer();
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined).resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write("GET /early HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
  await once(socket, "data");

  socket.write("1\r\nx\r\n".repeat(9_000));

  await closed;
});

it("gives no credit for what was large before", async () => {
  const { origin, taken } = await aServer();

  const answer = await send(origin, "POST /take", [
    " ".repeat(500_000),
    ...Array.from({ length: 9_000 }, () => " "),
    "[]",
  ]);

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(taken).toEqual([]);
});

it("counts the pieces of all bodies of a connection, but not the first few of each", async () => {
  const { origin } = await aServer();
  const request = (pieces: number) =>
    `POST /take HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n${"1\r\n \r\n".repeat(pieces - 2)}1\r\n]\r\n0\r\n\r\n`;
  const answersTo = async (pieces: number) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).setEncoding("utf8");
    let answers = "";
    for (let sent = 0; sent < 300 && !socket.closed; sent += 1) {
      socket.write(request(pieces));
      await Promise.race([once(socket, "data").then(([text]) => (answers += text)), once(socket, "close")]);
    }
    return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  };

  expect(new Set(await answersTo(4))).toEqual(new Set(["200"]));
  expect((await answersTo(20)).at(-1)).toBe("400");
});

it("forgets small pieces with time", async () => {
  const clock = { now: 0 };
  let refused = 0;
  const listener: RequestListener = (request, response) =>
    void request.resume().on("end", () => response.end());
  const refuse = (_error: Error, socket: Socket) => {
    refused += 1;
    socket.destroy();
  };
  const server = createServer(insistOnLargePieces(listener, refuse, () => clock.now)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const post = async () => {
    socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(600)}0\r\n\r\n`,
    );
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  };

  for (let n = 0; n < 5; n += 1) {
    await post();
    clock.now += 6_000;
  }
  const whileSlow = refused;
  await post();
  await post();

  expect([whileSlow, refused]).toEqual([0, 1]);
});
