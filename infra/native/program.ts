import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { processEnvironment } from "#libs/config/environment.ts";

const REPOSITORY = new URL("../../", import.meta.url);
const KEPT_OUTPUT = 64 * 1024;
const UP_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 20_000;

export interface ProgramOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Over `PATH` and `HOME`, which are the tests' own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Asks it to end. Default `SIGTERM`. */
  readonly stopSignal?: NodeJS.Signals;
  /** Whether it can be used; throwing is no. */
  readonly isUp: () => Promise<boolean>;
}

/**
 * A process that can be killed, frozen and started again as it was, in a process group of its own so that none of its
 * children outlives it.
 */
export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  readonly #overrides: Record<string, string> = {};
  #child: ChildProcess | undefined;
  #output = "";

  constructor(options: ProgramOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** The process id of its present or last life. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Its last output, on both streams, across restarts. */
  get output(): string {
    return this.#output;
  }

  /** Holds for the next lives. */
  setEnvironment(changes: Readonly<Record<string, string>>): void {
    Object.assign(this.#overrides, changes);
  }

  /** Begins a life without waiting for anything. */
  launch(): void {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    const { command, environment } = this.#options;
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd: REPOSITORY,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: processEnvironment().PATH,
        HOME: processEnvironment().HOME,
        ...environment,
        ...this.#overrides,
      },
    });
    const keep = (text: string) => {
      this.#output = (this.#output + text).slice(-KEPT_OUTPUT);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.once("error", (error) => keep(String(error)));
    this.#child = child;
  }

  /** Begins a life and resolves when it is up. */
  async start(): Promise<void> {
    this.launch();
    await this.up();
  }

  async up(): Promise<void> {
    const deadline = Date.now() + UP_WITHIN_MS;
    while (!(await this.#options.isUp().catch(() => false))) {
      if (!this.isRunning) throw this.#problem("ended while it started");
      if (Date.now() > deadline) throw this.#problem(`was not up within ${UP_WITHIN_MS / 1000} s`);
      await wait(50);
    }
  }

  /** SIGKILL to it and its children; resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** SIGKILL in this very moment, without waiting for its end. */
  killNow(): void {
    this.#signal("SIGKILL");
  }

  /** Asks it to stop and resolves with its exit code when it has; fails where it does not. */
  async stop(): Promise<number | string | null> {
    const late = setTimeout(() => this.#signal("SIGKILL"), STOPPED_WITHIN_MS);
    const how = await this.#end(this.#options.stopSignal ?? "SIGTERM");
    clearTimeout(late);
    if (how === "SIGKILL") throw this.#problem(`did not stop within ${STOPPED_WITHIN_MS / 1000} s`);
    return how;
  }

  /** The process and its children stop in the middle of whatever they do; resolves when the process has, which takes a busy machine a while. */
  async freeze(): Promise<void> {
    this.#signal("SIGSTOP");
    while (this.isRunning && !(await this.#isStopped())) await wait(1);
  }

  wake(): void {
    this.#signal("SIGCONT");
  }

  /** Kills it and lets go of its outputs. */
  async cleanUp(): Promise<void> {
    await this.kill();
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  /** Resolves with the exit code or the signal that ended it. */
  async #end(signal: NodeJS.Signals): Promise<number | string | null> {
    const child = this.#child;
    if (child === undefined) return null;
    const ended = this.isRunning ? once(child, "exit") : undefined;
    this.#signal(signal);
    await ended;
    // The rest of its group.
    this.#signal("SIGKILL");
    return child.exitCode ?? child.signalCode;
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has ended by itself.
    }
  }

  /** Whether every thread has stopped; elsewhere than on Linux it is taken to have. */
  async #isStopped(): Promise<boolean> {
    const threads = `/proc/${this.pid}/task`;
    const ids = await readdir(threads).catch(() => []);
    const stats = await Promise.all(
      ids.map((id) => readFile(`${threads}/${id}/stat`, "utf8").catch(() => "")),
    );
    // The state follows the name, which is in brackets and may have spaces; no text is of a thread that has just ended.
    return stats.every((stat) => stat === "" || stat[stat.lastIndexOf(")") + 2] === "T");
  }

  #problem(what: string): Error {
    return new Error(`${this.name} ${what}. It said last:\n${this.#output.slice(-4_000)}`);
  }
}
