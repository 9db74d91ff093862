import { type AliasableExpression, type Kysely, sql, type Transaction } from "kysely";
import type { AuditValues } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isNotFound, type Payments } from "#libs/payments/index.ts";
import type { MailPorts } from "../mail/to-publisher.ts";

export interface Billing extends MailPorts {
  readonly db: Kysely<Tables>;
  readonly payments: Payments;
  readonly now: () => number;
}

/** Who the audit log names for the changes that are copied from the payment processor. */
export const PROCESSOR = { kind: "processor", name: "Payment processor" } as const;

/** The sync fails after this many attempts during which another change was faster. */
const MAX_ATTEMPTS = 10;

/** An attempt to copy the payment processor's state of one object. */
export interface SyncAttempt {
  /** The attempt's number: every attempt that began earlier has a lower one. */
  readonly sequence: number;
  /** The `sync_version` of our row when the attempt began; null without a row. */
  readonly knownVersion: number | null;
}

export interface SyncOutcome {
  /** Our row's id; null for an object without one. */
  readonly id: string | null;
  /** Whether anything besides the version was written. */
  readonly changed: boolean;
}

interface MirroredRow {
  readonly id: string;
  readonly sync_version: number;
}

/** Selects the `sync_version` of our row. */
type VersionQuery = (
  db: Kysely<Tables>,
  id: string,
) => { readonly $asScalar: () => AliasableExpression<number> };

/** How objects of one kind are mirrored. `id` is always the payment processor's; `Columns` are the ones that it decides. */
interface Mirror<Columns extends object, Row extends MirroredRow & Columns, Remote> {
  /** Runs before each attempt. */
  readonly prepare?: (id: string) => Promise<void>;
  readonly version: VersionQuery;
  /** Asks the payment processor, with no connection held; null for an object that is gone or was not sold here. */
  readonly read: (id: string, attempt: SyncAttempt) => Promise<Remote | null>;
  /** Our row, locked. */
  readonly lock: (trx: Transaction<Tables>, id: string) => Promise<Row | undefined>;
  /** Whether another writer is about to write the row. */
  readonly isBusy?: (row: Row) => boolean;
  readonly columns: (remote: Remote, row: Row) => Columns;
  /** Writes the columns, which are empty if the state is the same, and always `sequence` as the row's `sync_version`. */
  readonly write: (
    trx: Transaction<Tables>,
    row: Row,
    columns: Partial<Columns>,
    sequence: number,
  ) => Promise<void>;
  /** Runs after a change, in its transaction. */
  readonly onChange?: (trx: Transaction<Tables>, row: Row, columns: Columns, remote: Remote) => Promise<void>;
  /** Adds the row; null where another attempt was faster. Without it, objects without a row are not read. */
  readonly insert?: (
    trx: Transaction<Tables>,
    remote: Remote,
    sequence: number,
  ) => Promise<SyncOutcome | null>;
  /** Removes the row of an object that is gone; says whether it did. Without it the row stays. */
  readonly remove?: (trx: Transaction<Tables>, row: Row) => Promise<boolean>;
}

/**
 * Copies the payment processor's state of one object over the version that we know, unless a newer state was written
 * meanwhile. Webhooks, reconciliation and handlers all call it, and only say which object to read: an event that comes
 * late, twice or out of order causes one more reading and nothing else.
 *
 * No connection is held while the payment processor answers, so attempts overlap. Each takes the next number of a
 * sequence before it reads, and a row keeps the number of the attempt that wrote it:
 *
 * - The row has the number that it had when this attempt began: we write the state and our number, or only our number if the
 *   state is the same. So an earlier attempt cannot overwrite what we have read.
 * - The row has another number, higher than that of our first attempt: its writer read after we were called, so it has seen
 *   what we were called for. We stop.
 * - The row has another number, lower than that of our first attempt: its writer may have read before or after the change that we were
 *   called for. We try again.
 *
 * The earlier release increments the version of an invoice, charge or account by one, so while both run the row's number can be higher
 * than ours without a later reading. Hence the first rule comes first.
 *
 * One race: two webhooks make us read a subscription whose row has 5, while somebody resumes it.
 *
 *     A  takes 7 ─────────────────────────── reads "active", writes 7
 *     B      takes 8, reads "paused" ───────────────────────────────── finds 7, not 5: takes 9, reads "active", writes 9
 *
 * If B had been faster and written 8, A would find 8 and stop, whatever it has read: B read after A began.
 *
 * Throws `PaymentsError`.
 */
export async function sync<Columns extends object, Row extends MirroredRow & Columns, Remote>(
  db: Kysely<Tables>,
  id: string,
  mirror: Mirror<Columns, Row, Remote>,
): Promise<SyncOutcome> {
  let first: number | undefined;
  return await retryWhileOutdated(async () => {
    await mirror.prepare?.(id);
    const attempt = await beginSync(db, mirror.version, id);
    first ??= attempt.sequence;
    const since = first;
    if (attempt.knownVersion === null && mirror.insert === undefined) return NOTHING;
    const remote = await mirror.read(id, attempt);
    if (remote === null && (attempt.knownVersion === null || mirror.remove === undefined)) return NOTHING;
    return await db.transaction().execute(async (trx) => {
      const row = await mirror.lock(trx, id);
      if (row === undefined) {
        return remote === null ? NOTHING : ((await mirror.insert?.(trx, remote, attempt.sequence)) ?? null);
      }
      if (row.sync_version !== attempt.knownVersion) {
        return row.sync_version > since ? { id: row.id, changed: false } : null;
      }
      if (mirror.isBusy?.(row) === true) return null;
      if (remote === null) return { id: row.id, changed: (await mirror.remove?.(trx, row)) ?? false };
      const columns = mirror.columns(remote, row);
      const changed = !hasState(row, columns);
      await mirror.write(trx, row, changed ? columns : {}, attempt.sequence);
      if (changed) await mirror.onChange?.(trx, row, columns, remote);
      return { id: row.id, changed };
    });
  });
}

const NOTHING: SyncOutcome = { id: null, changed: false };

/** Begins an attempt: takes its number before anything is read. */
export async function beginSync(db: Kysely<Tables>, version: VersionQuery, id: string): Promise<SyncAttempt> {
  return await db
    .selectNoFrom([
      sql<number>`nextval('sync_tickets')`.as("sequence"),
      version(db, id).$asScalar().as("knownVersion"),
    ])
    .executeTakeFirstOrThrow();
}

/** Repeats an attempt that returns null because another one was faster. Throws after `MAX_ATTEMPTS`. */
export async function retryWhileOutdated<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let n = 0; n < MAX_ATTEMPTS; n += 1) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
  }
  throw new Error(`the payment processor's answer was out of date ${MAX_ATTEMPTS} times in a row`);
}

/** The payment processor's answer; null for an object that it does not have. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Whether a row has all of these values. */
export function hasState<Columns extends object>(row: Columns, columns: Columns): boolean {
  return JSON.stringify(auditedState(row, columns)) === JSON.stringify(auditedState(columns, columns));
}

/** The values that a row has in the columns of `like`, in the API's spelling. */
export function auditedState<Columns extends object>(row: Columns, like: Columns): AuditValues {
  const values = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(
    Object.keys(like).map((column) => {
      const value = values.get(column);
      return [apiName(column), value instanceof Date ? value.toISOString() : value];
    }),
  );
}

/** A column in the API's spelling: `createdAt` for `created_at`. */
export function apiName(column: string): string {
  return column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Collects what a list yields into pages of at most `size`. */
export async function* inPages<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
