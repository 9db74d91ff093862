import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { processEnvironment } from "#libs/config/environment.ts";
import { onCoreOf, type Role } from "./cores.ts";

const answered = z.object({ id: z.number(), answer: z.unknown().optional(), failure: z.string().optional() });

/** Nothing that this process started stays behind when it crashes: those that have children of their own end them first. */
const running = new Set<Child>();
process.on("exit", () => {
  for (const child of running) child.signal("SIGTERM");
});

/** Stops everything that still runs, for Ctrl-C. */
export async function stopAllChildren(): Promise<void> {
  await Promise.allSettled([...running].map((child) => child.stop()));
}

export interface ChildOptions {
  readonly role: Role;
  /** Node's arguments: flags, the program's file, its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const STOPPED_WITHIN_MS = 15_000;
const LAST_LINES = 4_000;

/** A Node program in a process of its own, on the core of its role, that can be asked over IPC. */
export class Child {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (message: z.infer<typeof answered>) => void>();
  #lastId = 0;
  #output = "";
  #errors = "";

  constructor({ role, args, env = {} }: ChildOptions) {
    const [command, all] = onCoreOf(role, process.execPath, args);
    this.#process = spawn(command, all, {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...ownEnvironment(), ...env, LOADTEST_PID: String(process.pid) },
    });
    running.add(this);
    this.#process.on("error", (error) => {
      this.#errors += String(error);
    });
    this.#process.on("exit", () => {
      running.delete(this);
      for (const [id, settle] of this.#waiting) settle({ id, failure: this.#exitReason() });
    });
    this.#process.on("message", (message) => {
      const parsed = answered.parse(message);
      this.#waiting.get(parsed.id)?.(parsed);
    });
    this.#process.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output = (this.#output + text).slice(-LAST_LINES);
      this.#process.emit("output");
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-LAST_LINES);
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Throws with its last output if the program has ended. */
  assertRuns(): void {
    if (this.hasEnded) throw new Error(this.#exitReason());
  }

  /** Asks and waits for the answer, at most `withinMs`. Rejects when the program fails, ends or is late. */
  async ask(ask: unknown, withinMs: number): Promise<unknown> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<z.infer<typeof answered>>();
    const timer = setTimeout(() => resolve({ id, failure: "It gave no answer in time." }), withinMs);
    this.#waiting.set(id, resolve);
    if (this.hasEnded) resolve({ id, failure: this.#exitReason() });
    else this.#process.send({ id, ask });
    const { answer, failure } = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    if (failure !== undefined) throw new Error(failure);
    return answer;
  }

  /** Standard output as soon as it holds a match. Rejects when the program ends first, or after `withinMs`. */
  async printed(pattern: RegExp, withinMs: number): Promise<string> {
    const late = AbortSignal.timeout(withinMs);
    while (!pattern.test(this.#output)) {
      this.assertRuns();
      const over = new AbortController();
      const signal = AbortSignal.any([late, over.signal]);
      await Promise.race([
        once(this.#process, "output", { signal }),
        once(this.#process, "exit", { signal }),
      ]).finally(() => over.abort());
    }
    return this.#output;
  }

  /** Asks the program to end, and kills it if it does not. Rejects when it had to be killed. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const exit = once(this.#process, "exit", { signal: AbortSignal.timeout(STOPPED_WITHIN_MS) });
    this.#process.kill("SIGTERM");
    try {
      await exit;
    } catch (error) {
      this.#process.kill("SIGKILL");
      throw new Error("A server did not stop and was killed.", { cause: error });
    }
  }

  #exitReason(): string {
    return `A program of the load test ended early (${this.#process.exitCode ?? this.#process.signalCode}): ${this.#errors}`;
  }
}

/** No more than programs need to run: settings of a real installation must not lead a load there. */
function ownEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "USER", "LANG", "TMPDIR", "SystemRoot"];
  return Object.fromEntries(kept.flatMap((name) => [[name, processEnvironment()[name] ?? ""]]));
}
