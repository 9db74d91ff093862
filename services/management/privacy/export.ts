import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type PartTurn, partTurnsOf } from "../api/turns.ts";
import { apiName } from "../billing/mirror.ts";
import { type Subject, TABLE_RULES } from "./tables.ts";

/** Rows in memory at a time, where the rule of their table says nothing else. */
const ROWS_IN_A_PART = 500;

type Row = Readonly<Record<string, unknown>>;

/** Members of the JSON object before `tables`: the time of the export, and data that is not in tables. */
export type ExportHead = Readonly<Record<string, unknown>>;

/**
 * Everything stored about a subject as one JSON object, without secrets and hashes: `head`, and `tables` with the rows of
 * each table. It reads a part whenever the reader is ready for it and its turn has come, so an export of any length needs the memory
 * of one part. A failure aborts the stream.
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
  // A person, whose id is no workspace's, counts for themselves.
  const turn = await partTurnsOf(db, subject.kind === "advertiser" ? subject.workspaceId : subject.id);
  let separator = "\n";
  for (const table of exportedTables(subject.kind)) {
    yield `${separator}${JSON.stringify(table)}:[`;
    separator = ",\n";
    let between = "\n";
    for await (const rows of readTable(db, table, subject, turn)) {
      yield `${between}${rows}`;
      between = ",\n";
    }
    yield "]";
  }
  yield "}}\n";
}

/** The tables in the export of such a subject. */
export function exportedTables(kind: Subject["kind"]): (keyof Tables)[] {
  const isTable = (name: string): name is keyof Tables => Object.hasOwn(TABLE_RULES, name);
  return Object.keys(TABLE_RULES)
    .filter(isTable)
    .filter((table) => typeof TABLE_RULES[table][kind] === "function");
}

/** The rows of a table as JSON, in parts. */
async function* readTable(
  db: Kysely<Tables>,
  table: keyof Tables,
  subject: Subject,
  turn: PartTurn,
): AsyncGenerator<string, void, undefined> {
  const rule = TABLE_RULES[table];
  const hidden: readonly string[] = [
    ...(rule.hidden ?? []),
    ...(subject.kind === "workspace" ? (rule.hiddenFromWorkspace ?? []) : []),
  ];
  const { rowsInAPart = ROWS_IN_A_PART } = rule;
  const rowsOf = rule[subject.kind];
  if (typeof rowsOf === "string") return;
  const condition = rowsOf(subject.id, subject.kind === "advertiser" ? subject.workspaceId : subject.id);
  const key = sql.join(rule.key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  do {
    const later =
      last === undefined
        ? sql`true`
        : sql`(${key}) > (${sql.join(rule.key.map((column) => last?.[column]))})`;
    const part = await turn(async () => {
      const { rows } = await sql<Row>`
        select * from ${sql.table(table)} where ${condition} and ${later}
        order by ${key} limit ${sql.lit(rowsInAPart)}`.execute(db);
      return {
        text: rows.map((row) => JSON.stringify(present(row, hidden))).join(",\n"),
        next: rows[rowsInAPart - 1],
      };
    });
    if (part.text !== "") yield part.text;
    last = part.next;
  } while (last !== undefined);
}

function present(row: Row, hidden: readonly string[]): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !hidden.includes(column))
      .map(([column, value]) => [apiName(column), value]),
  );
}
