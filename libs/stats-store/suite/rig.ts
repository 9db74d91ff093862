import { randomUUID } from "node:crypto";
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { createStatsStore, type StatsStore } from "../index.ts";

export interface ClickHouseUnderTest {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  close(): Promise<void>;
}

export const ALL_DAYS = { from: "2020-01-01", to: "2099-12-31" };
export const NOON = Date.UTC(2026, 4, 10, 12);

export function rowsOf(events: readonly TrackedEvent[]): Buffer[] {
  return [Buffer.from(events.map(encodeEventRow).join(""))];
}

interface Opened {
  readonly clickHouse: ClickHouseUnderTest;
  readonly store: StatsStore;
  readonly client: ClickHouseClient;
}

/** A store on the ClickHouse under test, in a database of its own, and a client to look behind it. */
export class StatsStoreRig {
  readonly database: string;
  /** For stores that are migrated by several at once. */
  readonly raced: string;
  /** For a store that an earlier release has made. */
  readonly upgraded: string;
  /** The database of a store that keeps splits for a short time. */
  readonly short: string;
  readonly #start: () => Promise<ClickHouseUnderTest>;
  #opened: Opened | undefined;
  #workspaces = 0;
  #events = 0;
  #tokens = 0;

  constructor(start: () => Promise<ClickHouseUnderTest>) {
    this.#start = start;
    this.database = `test_${randomUUID().replaceAll("-", "")}`;
    this.raced = `${this.database}_raced`;
    this.upgraded = `${this.database}_upgraded`;
    this.short = `${this.database}_short`;
  }

  async open(): Promise<void> {
    const clickHouse = await this.#start();
    const { database } = this;
    const { url, username, password } = clickHouse;
    this.#opened = {
      clickHouse,
      store: createStatsStore({ url, username, password, database }),
      client: createClient({ url, username, password, database }),
    };
    await this.store.migrate();
  }

  /** Drops what it has made there, and ends the ClickHouse. */
  async close(): Promise<void> {
    if (this.#opened === undefined) return;
    for (const name of [this.raced, this.upgraded, this.short, this.database])
      await this.client.command({ query: `DROP DATABASE IF EXISTS ${name}` });
    await this.client.close();
    await this.store.close();
    await this.clickHouse.close();
  }

  get clickHouse(): ClickHouseUnderTest {
    return this.#parts.clickHouse;
  }

  get store(): StatsStore {
    return this.#parts.store;
  }

  get client(): ClickHouseClient {
    return this.#parts.client;
  }

  get #parts(): Opened {
    if (this.#opened === undefined) throw new Error("The store is not open.");
    return this.#opened;
  }

  get workspaceId(): string {
    return `ws_${this.#workspaces}`;
  }

  /** From now on in another one, so that no test sees another's rows. */
  enterWorkspace(): void {
    this.#workspaces += 1;
  }

  /** A valid impression of its own visitor. */
  anEvent(changes: Partial<TrackedEvent> = {}): TrackedEvent {
    this.#events += 1;
    return {
      id: `evt_${this.#events}`,
      workspaceId: this.workspaceId,
      adId: "ad_1",
      kind: "impression",
      verdict: "valid",
      visitor: this.#events.toString(16).padStart(16, "0"),
      occurredAt: NOON,
      source: "page",
      place: NO_PLACE,
      ...changes,
    };
  }

  newToken(): string {
    this.#tokens += 1;
    return `token ${this.#tokens}`;
  }

  async insert(...events: TrackedEvent[]): Promise<void> {
    await this.store.insertRange({ token: this.newToken(), rows: rowsOf(events) });
  }

  /** What the tables hold of the workspace. Fails if the sums differ. */
  async stored(): Promise<{ events: number; daily: number }> {
    const result = await this.client.query({
      query: `SELECT (SELECT count() FROM events WHERE workspace_id = {w:String}) AS events,
      (SELECT sum(daily.events) FROM daily WHERE workspace_id = {w:String}) AS daily,
      throwIf(daily != (SELECT sum(quarter.events) FROM quarter WHERE workspace_id = {w:String})
        OR daily != (SELECT sum(wide.events) FROM wide WHERE workspace_id = {w:String})) AS differs`,
      query_params: { w: this.workspaceId },
      format: "JSONEachRow",
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    const [row] = await result.json<{ events: number; daily: number }>();
    return { events: row?.events ?? -1, daily: row?.daily ?? -1 };
  }
}
