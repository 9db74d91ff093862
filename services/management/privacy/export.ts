import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Subject, TABLE_RULES } from "./tables.ts";

/** Rows held at a time. */
const ROWS_IN_A_PART = 500;

type Row = Readonly<Record<string, unknown>>;

/** Members of the JSON object before `tables`: the time of the export, and data that is not in tables. */
export type ExportHead = Readonly<Record<string, unknown>>;

/**
 * Everything that is stored about a subject as one JSON object: `head`, and `tables` with the rows of each table. It reads a
 * part whenever the reader is ready for it, so an export of any length needs the memory of one part. No secrets, no hashes. A
 * failure aborts the stream.
 */
export function streamExport(
  db: Kysely<Tables>,
  subject: Subject,
  head: ExportHead,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const texts = writeExport(db, subject, head);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* writeExport(
  db: Kysely<Tables>,
  subject: Subject,
  head: ExportHead,
): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify({ about: subject, ...head }).slice(0, -1)},"tables":{`;
  let separator = "\n";
  for (const table of exportedTables(subject.kind)) {
    yield `${separator}${JSON.stringify(table)}:[`;
    separator = ",\n";
    let between = "\n";
    for await (const rows of readTable(db, table, subject)) {
      yield `${between}${rows.map((row) => JSON.stringify(row)).join(",\n")}`;
      between = ",\n";
    }
    yield "]";
  }
  yield "}}\n";
}

/** The tables that the export of such a subject has. */
export function exportedTables(kind: Subject["kind"]): (keyof Tables)[] {
  return tableNames().filter((table) => typeof TABLE_RULES[table][kind] === "function");
}

function tableNames(): (keyof Tables)[] {
  const names: (keyof Tables)[] = [];
  for (const name in TABLE_RULES) if (isTable(name)) names.push(name);
  return names;
}

function isTable(name: string): name is keyof Tables {
  return Object.hasOwn(TABLE_RULES, name);
}

async function* readTable(
  db: Kysely<Tables>,
  table: keyof Tables,
  subject: Subject,
): AsyncGenerator<Row[], void, undefined> {
  const rule = TABLE_RULES[table];
  const hidden: readonly string[] = [
    ...(rule.hidden ?? []),
    ...(subject.kind === "workspace" ? (rule.hiddenFromWorkspace ?? []) : []),
  ];
  const rowsOf = rule[subject.kind];
  if (typeof rowsOf === "string") return;
  const condition = rowsOf(subject.id, subject.kind === "advertiser" ? subject.workspaceId : subject.id);
  let rows: Row[] = [];
  do {
    rows = await readPart(db, { table, key: rule.key, condition, after: rows.at(-1) });
    if (rows.length > 0) yield rows.map((row) => present(row, hidden));
  } while (rows.length === ROWS_IN_A_PART);
}

interface Part {
  readonly table: keyof Tables;
  readonly key: readonly string[];
  readonly condition: RawBuilder<boolean>;
  /** The last row of the part before; undefined for the first. */
  readonly after: Row | undefined;
}

async function readPart(db: Kysely<Tables>, { table, key, condition, after }: Part): Promise<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const later =
    after === undefined ? sql`true` : sql`(${columns}) > (${sql.join(key.map((column) => after[column]))})`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${condition} and ${later}
    order by ${columns} limit ${sql.lit(ROWS_IN_A_PART)}`.execute(db);
  return rows;
}

/** In the API's spelling: `createdAt`, not `created_at`. */
function present(row: Row, hidden: readonly string[]): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !hidden.includes(column))
      .map(([column, value]) => [
        column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
        value,
      ]),
  );
}
