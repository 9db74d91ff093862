import { setTimeout as wait } from "node:timers/promises";
import { Program } from "../../native/program.ts";
import { clickHouseRecipe } from "../../native/recipes.ts";
import { describeDifferences } from "../differences.ts";
import { startLoad } from "../load.ts";
import { Oracle } from "../oracle.ts";
import { SentLog } from "../sent-log.ts";
import { Stored } from "../stored.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { Disk } from "./disk.ts";
import { Product } from "./product.ts";

const EVENTS_PER_SECOND = 300;
const LOOKS_PER_SECOND = 10;
/** What earlier versions did not set. */
const NEW_SETTINGS =
  "min_rows_to_fsync_after_merge, min_compressed_bytes_to_fsync_after_merge, min_compressed_bytes_to_fsync_after_fetch, old_parts_lifetime";

/** What was found after a cut. */
export interface Findings {
  /** Events acknowledged on this disk since it was empty. */
  readonly acknowledged: number;
  readonly missing: number;
  readonly doubled: number;
  /** How long the product took to start, in seconds. */
  readonly startedIn: number;
  /** A sentence each; empty where everything promised is there. */
  readonly problems: string[];
}

/** A product on a disk whose power can be cut, and what it has promised. */
export class Rig {
  readonly #disk: Disk;
  readonly #acknowledged = new Acknowledgements();
  readonly #loads: (() => Promise<void>)[] = [];
  #product: Product;
  #sentLog = new SentLog();
  #oracle: Oracle | undefined;
  #number = 0;

  private constructor(disk: Disk, product: Product) {
    this.#disk = disk;
    this.#product = product;
  }

  static async make(below: string): Promise<Rig> {
    const disk = Disk.make(below);
    return new Rig(disk, await Product.on(disk.folder));
  }

  get product(): Product {
    return this.#product;
  }

  /** An empty disk, on which nothing has been promised yet. */
  async replaceDisk(): Promise<void> {
    await this.#disk.replace();
    this.#product = await Product.on(this.#disk.folder);
    this.#acknowledged.forget();
    this.#sentLog = new SentLog();
    this.#oracle = undefined;
  }

  /** Sends events for the given milliseconds; meanwhile somebody signs up and uploads a file. */
  async load(milliseconds: number): Promise<void> {
    const { workspaceId, adIds } = await this.#product.ads();
    this.#oracle ??= new Oracle(this.#sentLog, adIds);
    const load = startLoad({
      origins: [this.#product.origin],
      workspaceId,
      adIds: this.#oracle.adIds,
      sentLog: this.#sentLog,
      eventsPerSecond: EVENTS_PER_SECOND,
      looksPerSecond: LOOKS_PER_SECOND,
    });
    this.#loads.push(load.stop);
    this.#number += 1;
    await Promise.all([this.#acknowledged.make(this.#product, this.#number), wait(milliseconds)]);
    this.#learnSalt();
  }

  /** As a version left them that did not sync merged parts. */
  async makeTablesOlder(): Promise<void> {
    await this.#withEngine(async (stored) => {
      for (const table of ["events", "daily", "quarter", "wide"])
        await stored.execute(`ALTER TABLE ${table} RESET SETTING ${NEW_SETTINGS}`);
    });
  }

  /** Cuts the power, starts the product again and compares what is stored with what was acknowledged. */
  async cutAndJudge(): Promise<Findings> {
    const cutAt = Date.now();
    await this.#disk.cutPower();
    for (const stop of this.#loads.splice(0)) await stop();
    await this.#product.kill();
    this.#learnSalt();

    const startedIn = await this.#product.start();
    await this.#product.untilAllCounted();
    this.#learnSalt();
    const problems = await this.#acknowledged.broken(this.#product);
    await this.#product.stop();
    const counts = await this.#judgeEvents(cutAt, problems);
    const damage = await this.#disk.check();
    if (damage !== "") problems.push(`the file system is damaged: ${damage}`);
    return { ...counts, startedIn, problems };
  }

  async close(): Promise<void> {
    for (const stop of this.#loads.splice(0)) await stop();
    await this.#product.kill();
    await this.#disk.remove();
  }

  async #judgeEvents(cutAt: number, problems: string[]) {
    const acknowledged = this.#sentLog.promised;
    const oracle = this.#oracle;
    return this.#withEngine(async (stored) => {
      problems.push(...(await stored.wrongDays()));
      if (oracle === undefined) return { acknowledged, missing: 0, doubled: 0 };
      // The demo's made-up history is of visitors that no request was of.
      const found = { ...oracle.compare(await stored.events()), strangers: [] };
      problems.push(...describeDifferences(found, this.#sentLog, cutAt));
      return { acknowledged, missing: found.missing.length, doubled: found.doubled.length };
    });
  }

  /** The engine alone, on the product's folder, while the product does not run. */
  async #withEngine<T>(work: (stored: Stored) => Promise<T>): Promise<T> {
    const recipe = await clickHouseRecipe(this.#product.dataDir);
    const engine = new Program(recipe);
    await engine.start();
    const stored = new Stored({ ...recipe.address, database: "placard" });
    try {
      return await work(stored);
    } finally {
      await stored.close();
      await engine.stop();
      await engine.cleanUp();
    }
  }

  #learnSalt(): void {
    const found = this.#product.salt();
    if (found !== undefined) this.#oracle?.addSalt(found.salt, found.day);
  }
}
