import type { DatabaseSync, StatementSync } from "node:sqlite";
import { dueAt } from "./due.ts";
import type { RecordKind, Records } from "./records.ts";

/** The objects of one account. */
export interface Store {
  find<K extends RecordKind>(kind: K, id: string): Records[K] | undefined;
  /** Newest first; at most `limit`, or 1,000. */
  list<K extends RecordKind>(kind: K, selection?: Selection): Records[K][];
  save<K extends RecordKind>(kind: K, record: Records[K]): void;
  remove(kind: RecordKind, id: string): void;
}

/** Which objects, and where to go on in their list. */
export interface Selection {
  /** By the path of a field in the object, such as `payment.payment_intent`; undefined selects nothing out. */
  readonly where?: Readonly<Record<string, Criterion | undefined>>;
  /** Only what is older than the object with this id. */
  readonly after?: string | undefined;
  /** Only what is newer than the object with this id, the nearest first. */
  readonly before?: string | undefined;
  readonly limit?: number;
}

export type Criterion = string | number | boolean | readonly string[] | Range;

/** Bounds of a number. */
export interface Range {
  readonly gt?: number | undefined;
  readonly gte?: number | undefined;
  readonly lt?: number | undefined;
  readonly lte?: number | undefined;
}

/** What time changes next. */
export interface Due {
  readonly account: string | null;
  readonly kind: RecordKind;
  readonly id: string;
  readonly at: number;
}

/** All objects, by account. */
export interface RecordShelf {
  /** The objects of a connected account, or of the platform itself for null. */
  of(account: string | null): Store;
  /** The account that has the object; undefined when nobody has it. */
  ownerOf(kind: RecordKind, id: string): string | null | undefined;
  /** What is due first of what is due at `until` or before. */
  nextDue(until: number): Due | undefined;
}

const MOST_LISTED = 1000;
const BOUNDS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

export const RECORDS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS records (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
    json TEXT NOT NULL, due_at INTEGER, UNIQUE (account, kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_id ON records (kind, id);
  CREATE INDEX IF NOT EXISTS records_due ON records (due_at, sequence) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS records_list ON records (account, kind, sequence);
  ${[
    "customer",
    "lookup_key",
    "payment_intent",
    "payment.payment_intent",
    "charge",
    "code",
    "invoice",
    "parent.subscription_details.subscription",
  ]
    .map(
      (path, index) =>
        `CREATE INDEX IF NOT EXISTS records_by_${index} ON records (account, kind, ${field(path)});`,
    )
    .join("\n  ")}
`;

/** The objects in a database that has their schema. */
export function openRecordShelf(database: DatabaseSync): RecordShelf {
  // Their texts come from the code alone, so there are few.
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const owner = database.prepare("SELECT account FROM records WHERE kind = ? AND id = ? LIMIT 1");
  const nextDue = database.prepare(
    "SELECT account, kind, id, due_at FROM records WHERE due_at <= ? ORDER BY due_at, sequence LIMIT 1",
  );
  return {
    of: (account) => openStore(prepare, account ?? ""),
    ownerOf: (kind, id) => {
      const row = owner.get(kind, id);
      return row === undefined ? undefined : accountOf(row.account);
    },
    nextDue: (until) => {
      const row = nextDue.get(until);
      if (row === undefined) return undefined;
      const kind = KINDS.find((known) => known === row.kind);
      if (kind === undefined) throw new Error(`There are no records of the kind ${String(row.kind)}.`);
      return { account: accountOf(row.account), kind, id: String(row.id), at: Number(row.due_at) };
    },
  };
}

const KINDS = ["checkout", "invoice", "onboarding", "portal", "reminder", "subscription"] as const;

function openStore(prepare: (sql: string) => StatementSync, account: string): Store {
  const sequenceOf = (kind: RecordKind, id: string): number => {
    const row = prepare("SELECT sequence FROM records WHERE account = ? AND kind = ? AND id = ?").get(
      account,
      kind,
      id,
    );
    return Number(row?.sequence ?? 0);
  };
  return {
    find: (kind, id) => {
      const found = prepare("SELECT json FROM records WHERE account = ? AND kind = ? AND id = ?");
      const row = found.get(account, kind, id);
      return row === undefined ? undefined : JSON.parse(String(row.json));
    },
    list: (kind, { where = {}, after, before, limit = MOST_LISTED } = {}) => {
      const conditions = Object.entries(where).flatMap(([path, criterion]) => conditionsOf(path, criterion));
      if (after !== undefined) conditions.push(["sequence < ?", sequenceOf(kind, after)]);
      if (before !== undefined) conditions.push(["sequence > ?", sequenceOf(kind, before)]);
      const sql = ["account = ?", "kind = ?", ...conditions.map(([condition]) => condition)].join(" AND ");
      const order = before === undefined ? "DESC" : "ASC";
      const rows = prepare(`SELECT json FROM records WHERE ${sql} ORDER BY sequence ${order} LIMIT ?`);
      const values = conditions.map(([, value]) => value);
      return rows
        .all(account, kind, ...values, Math.min(limit, MOST_LISTED))
        .map((row) => JSON.parse(String(row.json)));
    },
    save: (kind, record) => {
      const save = prepare(
        `INSERT INTO records (account, kind, id, json, due_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET json = excluded.json, due_at = excluded.due_at`,
      );
      save.run(account, kind, record.id, JSON.stringify(record), dueAt(kind, record));
    },
    remove: (kind, id) => {
      prepare("DELETE FROM records WHERE account = ? AND kind = ? AND id = ?").run(account, kind, id);
    },
  };
}

type Condition = readonly [sql: string, value: string | number];

function conditionsOf(path: string, criterion: Criterion | undefined): Condition[] {
  if (criterion === undefined) return [];
  if (typeof criterion === "boolean") return [[`${field(path)} = ?`, Number(criterion)]];
  if (typeof criterion !== "object") return [[`${field(path)} = ?`, criterion]];
  if (isList(criterion)) {
    return [[`${field(path)} IN (SELECT value FROM json_each(?))`, JSON.stringify(criterion)]];
  }
  return Object.entries(BOUNDS).flatMap(([bound, sign]): Condition[] => {
    const value = bound in criterion ? Reflect.get(criterion, bound) : undefined;
    return typeof value === "number" ? [[`${field(path)} ${sign} ?`, value]] : [];
  });
}

function isList(criterion: readonly string[] | Range): criterion is readonly string[] {
  return Array.isArray(criterion);
}

function field(path: string): string {
  return `json_extract(json, '$.${path}')`;
}

function accountOf(stored: unknown): string | null {
  return stored === "" ? null : String(stored);
}
