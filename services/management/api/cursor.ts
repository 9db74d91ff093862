import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { isStorable } from "#libs/domain/storable-text.ts";
import { invalidInput } from "#libs/http/index.ts";

/** What a list is ordered by in one of its places. It is never null, and `is` says how a cursor carries it. */
export interface OrderKey {
  readonly by: RawBuilder<unknown>;
  readonly is: "time" | "text" | "number";
  readonly direction: "asc" | "desc";
}

/** The order of a list; its last key is unique. */
export interface Order {
  /** A cursor names it, and continues no other order. */
  readonly name: string;
  readonly keys: readonly OrderKey[];
  /** Whether rows change places by themselves, as they do by counts: no cursor can continue such an order. */
  readonly isMoving?: boolean;
}

/** A place in a list: behind a row, at the beginning of page `page`. */
export interface Place {
  readonly page: number;
  readonly keys: readonly (string | number)[];
}

/** A key of an order; `by` is a column such as `ads.created_at`, or an expression. */
export function orderKey(
  by: string | RawBuilder<unknown>,
  is: OrderKey["is"],
  direction: OrderKey["direction"],
): OrderKey {
  return { by: typeof by === "string" ? sql.ref(by) : by, is, direction };
}

/** The keys of a row as JSON. Times have the microseconds of the database: in milliseconds two rows could have the same place. */
export function placeColumn({ keys }: Order) {
  const shown = keys.map(({ by, is }) =>
    is === "time" ? sql`to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : by,
  );
  return sql<string>`json_build_array(${sql.join(shown)})::text`.as("place");
}

/**
 * The rows behind the place with these keys, or placeholders for them. Where all keys have one direction it is a comparison of
 * rows, which an index answers.
 */
export function isBehind({ keys }: Order, values: readonly unknown[]): Expression<SqlBool> {
  const parts = keys.map((key, index) => ({ ...key, value: typed(key, values[index]) }));
  const [first] = parts;
  if (first === undefined) throw new Error("an order has no key");
  const passes = (direction: OrderKey["direction"]) => sql.raw(direction === "asc" ? ">" : "<");
  if (parts.every(({ direction }) => direction === first.direction)) {
    const own = sql.join(parts.map(({ by }) => by));
    const given = sql.join(parts.map(({ value }) => value));
    return sql<SqlBool>`(${own}) ${passes(first.direction)} (${given})`;
  }
  return parts.reduceRight<RawBuilder<SqlBool>>(
    (rest, { by, value, direction }) =>
      sql<SqlBool>`(${by} ${passes(direction)} ${value} or (${by} = ${value} and ${rest}))`,
    sql<SqlBool>`false`,
  );
}

const TYPES = { time: sql`timestamptz`, text: sql`text`, number: sql`double precision` };

function typed({ is }: OrderKey, value: unknown) {
  return sql`${value}::${TYPES[is]}`;
}

/** A cursor behind the row with these keys. */
export function cursorOf(order: Order, { page, keys }: Place): string {
  return Buffer.from(JSON.stringify([order.name, page, ...keys])).toString("base64url");
}

/** The keys of a row from its `place`. */
export function readPlace(place: string): Place["keys"] {
  const keys: unknown = JSON.parse(place);
  if (!Array.isArray(keys)) throw new Error("a row has no place");
  return keys.filter((key) => typeof key === "string" || typeof key === "number");
}

/** The place that a cursor names. Throws 422 at `after` for a text that is no cursor of this order. */
export function readCursor(order: Order, cursor: string): Place {
  if (order.isMoving === true) {
    throw refused("In this order rows change places by themselves: use page, or another sort.");
  }
  const [name, page, ...keys] = parse(cursor);
  const isOfOrder = name === order.name && keys.length === order.keys.length && Number.isSafeInteger(page);
  const known = keys.filter((key, index) => isKey(order.keys[index]?.is, key));
  if (!isOfOrder || typeof page !== "number" || page < 1 || known.length < keys.length) {
    throw refused("Must be the nextCursor of an earlier page of this list, with the same sort.");
  }
  return { page, keys: known };
}

function parse(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

const TIME = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Whether Postgres takes a value for a key; it would answer any other with an error. */
function isKey(is: OrderKey["is"] | undefined, value: unknown): value is string | number {
  if (is === "number") return typeof value === "number" && Number.isFinite(value);
  if (typeof value !== "string") return false;
  if (is === "text") return isStorable(value);
  const at = new Date(`${value.slice(0, 19)}Z`);
  return TIME.test(value) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.slice(0, 19));
}

function refused(sentence: string) {
  return invalidInput("CURSOR_UNKNOWN", { fieldErrors: { after: [sentence] } });
}
