import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { aPassingEngine } from "../../infra/native/private-engine.ts";
import { redisRecipe } from "../../infra/native/recipes.ts";
import { openRedis } from "./connection.ts";

async function aRedis(): Promise<number> {
  const { program, address, remove } = await aPassingEngine(redisRecipe);
  onTestFinished(remove);
  await program.start();
  return Number(new URL(address.url).port);
}

/** An address that leads new connections to the port that `target` says. */
async function anAddress(target: () => number): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(target(), "127.0.0.1");
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => from.destroy() && to.destroy());
    }
    from.pipe(to).pipe(from);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `redis://127.0.0.1:${address.port}`;
}

it("reaches the new primary at its address, when the former one has become a replica and keeps the connection", async () => {
  const [former, next] = [await aRedis(), await aRedis()];
  let primary = former;
  const url = await anAddress(() => primary);
  const redis = await openRedis({ url, name: "test", onWarning: () => undefined });
  onTestFinished(() => redis.disconnect());
  await redis.set("before", "1");

  primary = next;
  await redis.call("REPLICAOF", "127.0.0.1", String(next));

  const write = () => redis.set("after", "1").catch((error: Error) => error.message);
  await expect.poll(write, { timeout: 20_000 }).toBe("OK");
});
