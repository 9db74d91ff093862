import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { boundConnections, isLoopback } from "./connections.ts";

/** A server that takes three connections of a network, and what opens one and has its answer left unread. */
async function aBoundServer(isExempt: (address: string) => boolean) {
  const server = createServer((_request, response) => void response.end(Buffer.alloc(10_000)));
  boundConnections(server, isExempt, 3);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const ends: string[] = [];
  const clients: Socket[] = [];
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return {
    ends,
    open: async (name: string) => {
      const client = connect(port, "127.0.0.1");
      clients.push(client);
      client.on("error", (error) =>
        ends.push(`${name} ${"code" in error ? String(error.code) : error.message}`),
      );
      await new Promise((resolve) => {
        client.once("readable", resolve);
        client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      });
    },
    count: () =>
      new Promise<number>((resolve) => {
        server.getConnections((_error, count) => resolve(count));
      }),
  };
}

it("resets the oldest connection of a network that opens one too many, with the answer that it has not read", async () => {
  const server = await aBoundServer(() => false);

  for (const name of ["first", "second", "third", "fourth", "fifth"]) await server.open(name);

  await vi.waitFor(() => expect(server.ends).toEqual(["first ECONNRESET", "second ECONNRESET"]), 20_000);
  await vi.waitFor(async () => expect(await server.count()).toBe(3), 20_000);
});

it("lets those who are exempt have any number", async () => {
  const server = await aBoundServer(isLoopback);

  for (const name of ["first", "second", "third", "fourth", "fifth"]) await server.open(name);

  expect([server.ends, await server.count()]).toEqual([[], 5]);
});

it.each([
  ["127.0.0.1", true],
  ["127.8.8.8", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["10.0.0.1", false],
  ["192.0.2.7", false],
  ["2001:db8::1", false],
])("knows whether %s is this machine's own", (address, is) => {
  expect(isLoopback(address)).toBe(is);
});
