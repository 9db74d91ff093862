import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createShutdown } from "./shutdown.ts";

const logger = pino({ level: "silent" });
const PROGRAM = join(import.meta.dirname, "tests/stopping-process.ts");

describe("releasing", () => {
  it("runs last in, first out, each after the one before has finished", async () => {
    const order: string[] = [];
    const shutdown = createShutdown({ logger, handleSignals: false });
    shutdown.onRelease("first", () => order.push("first"));
    shutdown.onRelease("second", async () => {
      await Promise.resolve();
      order.push("second");
    });

    await shutdown.release();

    expect(order).toEqual(["second", "first"]);
  });

  it("runs once, however often it is asked", async () => {
    let released = 0;
    const shutdown = createShutdown({ logger, handleSignals: false });
    shutdown.onRelease("server", () => {
      released += 1;
    });

    await Promise.all([shutdown.release(), shutdown.release()]);

    expect(released).toBe(1);
  });

  it("continues after one that fails and one that hangs, and names both", async () => {
    const order: string[] = [];
    const shutdown = createShutdown({ logger, handleSignals: false });
    shutdown.onRelease("last", () => order.push("last"));
    shutdown.onRelease("failing", () => Promise.reject(new Error("failed")));
    shutdown.onRelease("hanging", () => new Promise(() => {}), 20);

    const failure = await shutdown.release().catch((error: unknown) => error);

    expect(order).toEqual(["last"]);
    expect(failure).toMatchObject({
      errors: [{ message: "hanging took over 20 ms" }, { message: "failed" }],
    });
  });

  it("has started from the moment it is asked", async () => {
    const shutdown = createShutdown({ logger, handleSignals: false });
    const before = shutdown.started;

    const releasing = shutdown.release();

    expect([before, shutdown.started]).toEqual([false, true]);
    await releasing;
  });
});

describe("a process that stops", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("releases everything on %s and exits with 0", async (signal) => {
    const { child, ended } = await run("waits");

    child.kill(signal);

    expect(await ended).toEqual({ code: 0, output: "server released, started: true\nengine released\n" });
  });

  it.each([
    ["stops", 0],
    ["throws", 1],
    ["stops-after-error", 1],
  ])("releases everything when it %s and exits with %i", async (how, code) => {
    const { ended } = await run(how);

    expect(await ended).toEqual({ code, output: "server released, started: true\nengine released\n" });
  });

  it("releases the rest when one hangs, and exits with 1", async () => {
    const { child, ended } = await run("hangs");

    child.kill("SIGTERM");

    expect(await ended).toEqual({ code: 1, output: "server released, started: true\nengine released\n" });
  });

  it("exits at once on a second signal", async () => {
    const { child, ended, said } = await run("hangs");
    child.kill("SIGTERM");
    await said("server released");

    child.kill("SIGTERM");

    expect(await ended).toEqual({ code: 1, output: "server released, started: true\n" });
  });
});

/** Starts the program and waits until it says that it is running; `output` is what it says after that. */
async function run(how: string) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const { stdout } = child;
  if (stdout === null) throw new Error("the program has no output");
  let output = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const allSaid = text(stdout);

  async function said(words: string): Promise<void> {
    while (!output.includes(words) && child.exitCode === null) await once(stdout ?? child, "data");
  }
  await said("running\n");

  async function end(): Promise<{ code: unknown; output: string }> {
    const [[code]]: [unknown[], string] = await Promise.all([exited, allSaid]);
    return { code, output: output.slice("running\n".length) };
  }
  const ended = end();
  return { child, ended, said };
}
