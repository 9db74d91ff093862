import { fastify } from "fastify";
import { pino } from "pino";
import { startSandbox } from "#libs/payment-sandbox/index.ts";

// A sandbox in a process of its own, so that a test can kill it: `node sandbox-process.ts <state file> <key> <secret>`.
// Its first line says where the API and the pages are.
const [stateFile = "", secretKey = "", webhookSecret = ""] = process.argv.slice(2);
const publicUrl = new URL("http://127.0.0.1/");
const sandbox = await startSandbox({
  stateFile,
  secretKey,
  webhookSecret,
  publicUrl,
  logger: pino({ level: "silent" }),
});
const app = fastify();
await app.register(sandbox.pages);
publicUrl.port = new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port;
process.stdout.write(`${JSON.stringify({ port: sandbox.port })}\n`);
