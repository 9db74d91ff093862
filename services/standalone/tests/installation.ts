import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { freePort, isListening } from "#libs/process/ports.ts";
import { expectGone, killAll, type ListedProcess, listTree, survivorsOf } from "./process-tree.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
const MAIN = join("services", "standalone", "main.ts");
const START_WITHIN_MS = 150_000;
const STOP_WITHIN_MS = 10_000;
const KEPT_OUTPUT = 256 * 1024;

export interface InstallationOptions {
  readonly dataDir: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Over `SEED=none`; nothing but `PATH` and `HOME` comes from the tests' own environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** `npm` goes through `npm start`. Default `node`. */
  readonly through?: "node" | "npm";
}

/** The whole product as a process of its own, in a process group of its own. */
export interface Installation {
  readonly port: number;
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves with the exit code, or the signal's name, when the process has ended and its output is complete. */
  readonly ended: Promise<number | string>;
  /** The origin that it prints, once it has. Rejects with its output when it ends before, or after some minutes. */
  origin(): Promise<string>;
  /** Everything that runs on its behalf: Node, ClickHouse, Postgres with its backends. */
  tree(): ListedProcess[];
  /** Interrupts the process and fails unless it ends with 0 within 10 seconds and leaves nothing behind. */
  stop(): Promise<void>;
  /** SIGKILL to every process at once; resolves when all are gone. */
  killTree(): Promise<void>;
  /** SIGKILL to the main process alone; resolves with those that outlived it at that moment. */
  killMain(): Promise<ListedProcess[]>;
  /** Kills whatever is left of it. */
  cleanUp(): Promise<void>;
}

/** Starts an installation and waits until it says where it is. Whatever is left of it after the test is killed. */
export async function startInstallation(
  options: InstallationOptions,
): Promise<Installation & { url: string }> {
  const installation = await launchInstallation(options);
  const url = await installation.origin();
  return Object.assign(installation, { url });
}

/** Starts an installation without waiting for anything. Whatever is left of it after the test is killed. */
export async function launchInstallation(options: InstallationOptions): Promise<Installation> {
  const installation = await spawnInstallation(options);
  onTestFinished(() => installation.cleanUp());
  return installation;
}

/** As `launchInstallation`, for a caller who calls `cleanUp` in the end. */
export async function spawnInstallation(options: InstallationOptions): Promise<Installation> {
  const { dataDir, environment = {}, through = "node" } = options;
  const port = options.port ?? (await freePort());
  const child = spawn(
    through === "npm" ? "npm" : process.execPath,
    through === "npm" ? ["start", "--loglevel=error"] : [MAIN],
    {
      cwd: REPOSITORY,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        PORT: String(port),
        SEED: "none",
        ...environment,
      },
    },
  );
  return new RunningInstallation(child, port, dataDir);
}

class RunningInstallation implements Installation {
  readonly port: number;
  readonly pid: number;
  readonly ended: Promise<number | string>;
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;
  readonly #dataDir: string;
  readonly #printed = Promise.withResolvers<string>();
  #known: ListedProcess[] = [];

  constructor(child: ChildProcess, port: number, dataDir: string) {
    this.#child = child;
    this.#dataDir = dataDir;
    this.port = port;
    this.pid = child.pid ?? -1;
    this.#printed.promise.catch(() => undefined);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout = (this.stdout + text).slice(-KEPT_OUTPUT);
      const [, origin] = /^Placard is running at (\S+)$/m.exec(this.stdout) ?? [];
      // The rest of the welcome comes with the same write.
      if (origin !== undefined && this.stdout.endsWith("\n")) this.#printed.resolve(origin);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr = (this.stderr + text).slice(-KEPT_OUTPUT);
    });
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => {
        this.stderr += error.message;
        resolve("not started");
      });
      // Not "close": a child that outlives the process holds its output open.
      child.once("exit", (code, signal) => setImmediate(() => resolve(code ?? signal ?? "unknown")));
    });
    void this.ended.then((how) => this.#printed.reject(this.#problem(`ended with ${how}`)));
  }

  async origin(): Promise<string> {
    const timer = setTimeout(
      () => this.#printed.reject(this.#problem("printed no address")),
      START_WITHIN_MS,
    );
    try {
      return await this.#printed.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  tree(): ListedProcess[] {
    const tree = listTree(this.pid, this.#dataDir);
    const pids = new Set(tree.map(({ pid }) => pid));
    this.#known = [...this.#known.filter(({ pid }) => !pids.has(pid)), ...tree];
    return tree;
  }

  async stop(): Promise<void> {
    const tree = this.tree();
    process.kill(this.pid, "SIGINT");
    const how = await Promise.race([this.ended, delay(STOP_WITHIN_MS, "still running after 10 seconds")]);
    if (how !== 0) throw this.#problem(`was told to stop: ${how}`);
    await expectGone([...tree, ...this.tree()], 1_000);
    expect(await isListening(this.port), `something listens on ${this.port}`).toBe(false);
  }

  async killTree(): Promise<void> {
    const tree = this.tree();
    killAll(tree);
    await this.ended;
    // A part that was being started as the others went.
    killAll(this.tree());
    await expectGone(tree);
  }

  async killMain(): Promise<ListedProcess[]> {
    const others = this.tree().filter(({ pid }) => pid !== this.pid);
    process.kill(this.pid, "SIGKILL");
    await this.ended;
    return survivorsOf(others);
  }

  async cleanUp(): Promise<void> {
    this.tree();
    const left = survivorsOf(this.#known);
    killAll(left);
    await expectGone(left);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #problem(what: string): Error {
    return new Error(`The installation ${what}.\nstdout: ${this.stdout}\nstderr: ${this.stderr}`);
  }
}

function delay<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), ms).unref();
  });
}
