import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { createStatsStore, type StatsStore } from "#libs/stats-store/index.ts";
import { compareJudgements } from "../../services/verification/compare-judgements.ts";
import { collect } from "../../services/verification/difference.ts";
import type { StoredEvent } from "./oracle.ts";

export interface StoredOptions {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/** An ad's day in one of the tables. */
interface StoredDay {
  readonly workspaceId: string;
  readonly adId: string;
  readonly day: string;
  readonly kind: string;
  readonly verdict: string;
  readonly events: number;
}

const A_DAY = "workspace_id, ad_id, toString(day) AS day, kind, verdict";
const DAYS_OF_DAILY = `SELECT ${A_DAY}, sum(events) FROM daily GROUP BY ALL ORDER BY ALL`;
const daysOf = (table: "quarter" | "wide") => `
  SELECT ${A_DAY}, sum(events) FROM (SELECT *, toDate(bucket) AS day FROM ${table}) GROUP BY ALL ORDER BY ALL`;

/** Reads ClickHouse through its own connection, which no fault affects. */
export class Stored {
  readonly #client: ClickHouseClient;
  readonly #stats: StatsStore;

  constructor(options: StoredOptions) {
    this.#client = createClient({ ...options, request_timeout: 30_000 });
    this.#stats = createStatsStore(options);
  }

  /** What contradicts the rules for duplicates, a sentence each, as `npm run operate:verify -- --judgements` finds it. */
  async judgementFaults(): Promise<string[]> {
    const days = await this.#lines("SELECT DISTINCT toString(toDate(occurred_at)) FROM events");
    const faults = await Promise.all(days.map((day) => collect(compareJudgements(this.#stats, day))));
    return faults.flat().map(({ message }) => message);
  }

  /** Every row of `events`. */
  async events(): Promise<StoredEvent[]> {
    const rows = await this.#lines("SELECT visitor, ad_id, kind, verdict FROM events");
    return rows.map((line) => {
      const [visitor = "", adId = "", kind = "", verdict = ""] = line.split("\t");
      return { visitor, adId, kind, verdict };
    });
  }

  /** The visitor of every row of `events` that occurred since then, by the clock of its process (milliseconds). */
  visitors(since: number): Promise<string[]> {
    return this.#lines(
      `SELECT visitor FROM events WHERE occurred_at >= fromUnixTimestamp64Milli(toInt64(${since}))`,
    );
  }

  /** Days that a table of counts has otherwise than there are rows. */
  async wrongDays(): Promise<string[]> {
    const events = await this.#daysOfEvents();
    return [
      ...describeDays("daily", events, await this.#days(DAYS_OF_DAILY)),
      ...describeDays("quarter", events, await this.#days(daysOf("quarter"))),
      ...describeDays("wide", events, await this.#days(daysOf("wide"))),
    ];
  }

  #daysOfEvents(): Promise<StoredDay[]> {
    return this.#days(
      `SELECT ${A_DAY}, count() FROM (SELECT *, toDate(occurred_at) AS day FROM events) GROUP BY ALL ORDER BY ALL`,
    );
  }

  async execute(statement: string): Promise<void> {
    await this.#client.command({ query: statement });
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#stats.close();
  }

  async #days(query: string): Promise<StoredDay[]> {
    const lines = await this.#lines(query);
    return lines.map((line) => {
      const [workspaceId = "", adId = "", day = "", kind = "", verdict = "", events = ""] = line.split("\t");
      return { workspaceId, adId, day, kind, verdict, events: Number(events) };
    });
  }

  async #lines(query: string): Promise<string[]> {
    const answer = await this.#client.query({ query, format: "TabSeparated" });
    return (await answer.text()).split("\n").slice(0, -1);
  }
}

/** Days that a table of counts has otherwise than there are rows, in words. */
function describeDays(table: string, events: readonly StoredDay[], counted: readonly StoredDay[]): string[] {
  const keyOf = ({ workspaceId, adId, day, kind, verdict }: StoredDay) =>
    `${workspaceId} ${adId} ${day} ${kind} ${verdict}`;
  const rows = new Map(events.map((one) => [keyOf(one), one.events]));
  const counts = new Map(counted.map((one) => [keyOf(one), one.events]));
  return [...new Set([...rows.keys(), ...counts.keys()])].flatMap((key) => {
    const [inEvents = 0, inCounts = 0] = [rows.get(key), counts.get(key)];
    return inEvents === inCounts ? [] : [`${key}: ${inEvents} rows in events, ${inCounts} in ${table}`];
  });
}
