// Loaded into each server before its own code: tells over IPC what the process uses and how late its event loop is.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import { z } from "zod";
import { processEnvironment } from "#libs/config/environment.ts";
import type { Usage } from "./server.ts";

const RESOLUTION_MS = 5;
const asked = z.object({ id: z.number(), ask: z.literal("usage") });

// Flags are inherited by threads and by children; neither is meant.
if (isMainThread && process.ppid === Number(processEnvironment().LOADTEST_PID)) listen();

function listen(): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // A timer is never early: what it fires after its interval is the delay.
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

  process.on("message", (message) => {
    const parsed = asked.safeParse(message);
    if (!parsed.success) return;
    const { user, system } = process.cpuUsage();
    const answer: Usage = {
      cpuMicros: user + system,
      residentBytes: process.memoryUsage.rss(),
      delayP50Ms: delay(delays.percentile(50)),
      delayP99Ms: delay(delays.percentile(99)),
      delayMaxMs: delay(delays.max),
    };
    delays.reset();
    process.send?.({ id: parsed.data.id, answer });
  });
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
