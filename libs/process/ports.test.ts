import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { expect, it } from "vitest";
import { freePort, isListening, listenOnLoopback } from "./ports.ts";

const CHOSEN_BY_US = 50;
/** Enough of the 28,000 ports that the system chooses from to meet one of ours if ours were not kept. */
const CHOSEN_BY_THE_SYSTEM = 1_000;

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

it("gives ports that can be listened on, and that nobody else is given meanwhile", async () => {
  const ours = await Promise.all(Array.from({ length: CHOSEN_BY_US }, freePort));
  expect(new Set(ours).size).toBe(CHOSEN_BY_US);

  const others = Array.from({ length: CHOSEN_BY_THE_SYSTEM }, () => createServer());
  const theirs = await Promise.all(others.map(listenOnLoopback));
  for (const other of others) other.close();

  expect(ours.filter((port) => theirs.includes(port))).toEqual([]);
  for (const port of ours) {
    expect(await isListening(port)).toBe(false);
    const server = await listen(port);
    expect(await isListening(port)).toBe(true);
    server.close();
  }
});
