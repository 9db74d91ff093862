import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { servedAds } from "#libs/contract/serving.ts";
import { MOST_ADS } from "#libs/domain/serving-limits.ts";
import { freePort } from "#libs/process/ports.ts";
import { Program } from "../../native/program.ts";
import type { DaySalt } from "../salts.ts";
import { until } from "../until.ts";

const COUNTED_WITHIN_MS = 60_000;

/** The whole product in one process tree, with its demo, on a folder. */
export class Product {
  readonly dataDir: string;
  readonly origin: string;
  readonly #program: Program;

  private constructor(dataDir: string, port: number) {
    this.dataDir = dataDir;
    this.origin = `http://127.0.0.1:${port}`;
    this.#program = new Program({
      name: "Placard",
      command: [process.execPath, "services/standalone/main.ts"],
      environment: {
        HOST: "127.0.0.1",
        PORT: String(port),
        DATA_DIR: dataDir,
        SEED: "demo",
        TRUST_PROXY: "127.0.0.1",
        LOG_LEVEL: "warn",
      },
      isUp: async () => (await fetch(`${this.origin}/readyz`)).ok && this.#welcome() !== undefined,
    });
  }

  static async on(folder: string): Promise<Product> {
    return new Product(join(folder, "data"), await freePort());
  }

  get output(): string {
    return this.#program.output;
  }

  /** Begins to start, and waits for nothing. */
  launch(): void {
    this.#program.launch();
  }

  /** Resolves with the seconds that it took until requests are answered. */
  async start(): Promise<number> {
    const startedAt = performance.now();
    await this.#program.start();
    return (performance.now() - startedAt) / 1000;
  }

  /** Resolves when it has ended; fails where it does not end well. */
  async stop(): Promise<void> {
    const how = await this.#program.stop();
    if (how !== 0) throw new Error(`Placard ended with ${how}. It said last:\n${this.output.slice(-4_000)}`);
  }

  /** Tells it to stop, and waits for nothing. */
  beginToStop(): void {
    process.kill(this.#program.pid ?? -1, "SIGTERM");
  }

  async kill(): Promise<void> {
    await this.#program.cleanUp();
  }

  /** The demo's workspace and its ads on the air, once there are some. */
  async ads(): Promise<{ workspaceId: string; adIds: string[] }> {
    const workspaceId = this.#welcome() ?? "";
    let adIds: string[] = [];
    await until(30_000, "served no ads", async () => {
      const path = `/v1/workspaces/${workspaceId}/ads/serving?count=${MOST_ADS}`;
      const answer = await fetch(`${this.origin}${path}`);
      adIds = servedAds.parse(await answer.json()).ads.map(({ id }) => id);
      return adIds.length > 0;
    });
    return { workspaceId, adIds };
  }

  /** Resolves when every event of the log is in the stats store. */
  async untilAllCounted(): Promise<void> {
    await until(COUNTED_WITHIN_MS, "did not count what its log holds", async () => {
      const metrics = await (await fetch(`${this.origin}/metrics`)).text();
      return /^placard_event_log_waiting_events\{partition="0"\} 0$/m.test(metrics);
    });
    // The commit of the last range is on its way.
    await wait(100);
  }

  /** What visitors are hashed with now; undefined before the first event of a day. */
  salt(): DaySalt | undefined {
    try {
      const salt: DaySalt = JSON.parse(readFileSync(join(this.dataDir, "visitor-salt.json"), "utf8"));
      return salt;
    } catch {
      return undefined;
    }
  }

  #welcome(): string | undefined {
    return /Workspace +(ws_\w+)/.exec(this.output)?.[1];
  }
}
