import { pino } from "pino";
import { createShutdown } from "../shutdown.ts";

// A process for shutdown.test.ts: prints each step to standard output and waits to be stopped.
const say = (line: string) => process.stdout.write(`${line}\n`);
const shutdown = createShutdown({ logger: pino({ level: "silent" }), totalMs: 1_000 });
const keepAlive = setInterval(() => {}, 60_000);

shutdown.onRelease("engine", () => {
  clearInterval(keepAlive);
  say("engine released");
});
shutdown.onRelease("server", async () => {
  say(`server released, started: ${shutdown.started}`);
  if (process.argv[2] === "hangs") await new Promise(() => {});
});

if (process.argv[2] === "throws") setTimeout(() => void Promise.reject(new Error("broken")), 1);
if (process.argv[2] === "stops") setTimeout(() => shutdown.stop(), 1);
if (process.argv[2] === "stops-after-error") setTimeout(() => shutdown.stop(new Error("broken")), 1);
say("running");
