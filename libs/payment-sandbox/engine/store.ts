import type { DatabaseSync, StatementSync } from "node:sqlite";
import { missing } from "./api-error.ts";
import type { RecordKind, Records } from "./record-kinds.ts";

/** The objects of one account. */
export interface AccountStore {
  find<K extends RecordKind>(kind: K, id: string): Records[K] | undefined;
  /** Throws Stripe's error where there is none: 404, or 400 where the id was given in `param`. */
  get<K extends RecordKind>(kind: K, id: string, param?: string): Records[K];
  /** Newest first; at most `limit`, or 1,000. */
  list<K extends RecordKind>(kind: K, selection?: Selection): Records[K][];
  save<K extends RecordKind>(kind: K, record: Records[K]): void;
  remove(kind: RecordKind, id: string): void;
}

/** Which objects to list. */
export interface Selection {
  /** By the path of a field in the object, such as `payment.payment_intent`; undefined matches everything. */
  readonly where?: Readonly<Record<string, Criterion | undefined>>;
  /** Only objects that are older than the one with this id. */
  readonly after?: string | undefined;
  readonly limit?: number;
}

export type Criterion = string | boolean | readonly string[] | { readonly gte: number };

/** The next object that time changes. */
export interface Due {
  readonly account: string | null;
  readonly kind: (typeof DUE_KINDS)[number];
  readonly id: string;
  readonly at: number;
}

/** All objects, by account. */
export interface Store {
  /** The objects of a connected account, or of the platform itself for null. */
  of(account: string | null): AccountStore;
  /** The account that has the object; undefined when none has it. */
  ownerOf(kind: RecordKind, id: string): string | null | undefined;
  /** The first object that is due at `until` or earlier. */
  nextDue(until: number): Due | undefined;
}

const MOST_LISTED = 1000;
const DUE_KINDS = ["checkout", "invoice", "onboarding", "portal", "reminder", "subscription"] as const;

const RENEWING = ["active", "trialing", "past_due", "unpaid"];
/** Seconds in which a first payment has to succeed. */
const FIRST_PAYMENT_WITHIN = 23 * 3600;
/** Seconds for which an expired session stays readable. */
const EXPIRED_KEPT = 30 * 86_400;
/** Seconds for which a portal's page works. */
const PORTAL_KEPT = 3600;
/** Seconds for which an expired onboarding link still leads to a new one. */
const ONBOARDING_KEPT = 86_400;

type DueRules = { readonly [K in RecordKind]?: (record: Records[K]) => number | null };

/** When time itself changes a record next, in seconds; null when it never does. */
const DUE_RULES: DueRules & Record<Due["kind"], unknown> = {
  checkout: ({ session }) => {
    if (session.status === "open") return session.expires_at;
    return session.status === "expired" ? session.expires_at + EXPIRED_KEPT : null;
  },
  invoice: ({
    status,
    auto_advance,
    automatically_finalizes_at: finalizes,
    next_payment_attempt: retries,
  }) => {
    if (auto_advance === false) return null;
    if (status === "draft") return finalizes;
    return status === "open" ? retries : null;
  },
  onboarding: ({ expiresAt }) => expiresAt + ONBOARDING_KEPT,
  portal: ({ created }) => created + PORTAL_KEPT,
  reminder: ({ at }) => at,
  subscription: ({ status, created, items, pause_collection, cancel_at }) => {
    if (status === "incomplete") return created + FIRST_PAYMENT_WITHIN;
    if (!RENEWING.includes(status)) return null;
    const ends = [items.data[0]?.current_period_end, pause_collection?.resumes_at, cancel_at];
    return Math.min(...ends.map((end) => end ?? Number.POSITIVE_INFINITY));
  },
};

const INDEXED = [
  "customer",
  "lookup_key",
  "payment_intent",
  "payment.payment_intent",
  "charge",
  "code",
  "invoice",
  "parent.subscription_details.subscription",
];

export const RECORDS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS records (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
    json TEXT NOT NULL, due_at INTEGER, UNIQUE (account, kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_id ON records (kind, id);
  CREATE INDEX IF NOT EXISTS records_due ON records (due_at, sequence) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS records_list ON records (account, kind, sequence);
  ${INDEXED.map(
    (path, index) =>
      `CREATE INDEX IF NOT EXISTS records_by_${index} ON records (account, kind, ${field(path)});`,
  ).join("\n  ")}
`;

/** The objects in a database that has their schema. */
export function openStore(database: DatabaseSync): Store {
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
    of: (account) => accountStore(prepare, account ?? ""),
    ownerOf: (kind, id) => {
      const row = owner.get(kind, id);
      return row === undefined ? undefined : accountOf(row.account);
    },
    nextDue: (until) => {
      const row = nextDue.get(until);
      if (row === undefined) return undefined;
      const kind = DUE_KINDS.find((known) => known === row.kind);
      if (kind === undefined) throw new Error(`No rule makes records of the kind ${String(row.kind)} due.`);
      return { account: accountOf(row.account), kind, id: String(row.id), at: Number(row.due_at) };
    },
  };
}

function accountStore(prepare: (sql: string) => StatementSync, account: string): AccountStore {
  const find: AccountStore["find"] = (kind, id) => {
    const found = prepare("SELECT json FROM records WHERE account = ? AND kind = ? AND id = ?");
    const row = found.get(account, kind, id);
    return row === undefined ? undefined : JSON.parse(String(row.json));
  };
  const sequenceOf = (kind: RecordKind, id: string): number => {
    const found = prepare("SELECT sequence FROM records WHERE account = ? AND kind = ? AND id = ?");
    return Number(found.get(account, kind, id)?.sequence ?? 0);
  };
  return {
    find,
    get: (kind, id, param) => {
      const record = find(kind, id);
      if (record === undefined) throw missing(kind, id, param);
      return record;
    },
    list: (kind, { where = {}, after, limit = MOST_LISTED } = {}) => {
      const conditions = Object.entries(where).flatMap(([path, criterion]) => conditionsOf(path, criterion));
      if (after !== undefined) conditions.push(["sequence < ?", sequenceOf(kind, after)]);
      const sql = ["account = ?", "kind = ?", ...conditions.map(([condition]) => condition)].join(" AND ");
      const rows = prepare(`SELECT json FROM records WHERE ${sql} ORDER BY sequence DESC LIMIT ?`);
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
      const rules: DueRules = DUE_RULES;
      const dueAt = rules[kind]?.(record) ?? null;
      save.run(account, kind, record.id, JSON.stringify(record), dueAt);
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
  if (typeof criterion === "string") return [[`${field(path)} = ?`, criterion]];
  if ("gte" in criterion) return [[`${field(path)} >= ?`, criterion.gte]];
  return [[`${field(path)} IN (SELECT value FROM json_each(?))`, JSON.stringify(criterion)]];
}

function field(path: string): string {
  return `json_extract(json, '$.${path}')`;
}

function accountOf(stored: unknown): string | null {
  return stored === "" ? null : String(stored);
}
