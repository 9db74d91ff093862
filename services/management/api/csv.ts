import { type Options, stringify } from "csv-stringify/sync";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PartTurn } from "./turns.ts";

type Line<Column extends string> = Readonly<Record<Column, string | number | boolean | null>>;

/** Lines of a file, and where the next begin, such as a cursor; null after the last. */
export interface CsvPart<Column extends string, Place> {
  readonly lines: readonly Line<Column>[];
  readonly next: Place | null;
}

/**
 * A list as CSV (RFC 4180, UTF-8 with a byte order mark, one line of headings). `read` returns the part at a place,
 * undefined for the start. It is called whenever the reader is ready, so an export of any length needs the memory of a few
 * parts; each part waits for its turn. Rejects if the first call does; a later failure aborts the stream.
 */
export async function streamCsv<Column extends string, Place = string>(
  turn: PartTurn,
  columns: readonly Column[],
  read: (place: Place | undefined) => Promise<CsvPart<Column, Place>>,
): Promise<ReadableStream<Uint8Array>> {
  const format = formatOf(columns);
  const encoder = new TextEncoder();
  const write = (place: Place | undefined, options: Options) =>
    turn(async () => {
      const { lines, next } = await read(place);
      return { bytes: encoder.encode(stringify([...lines], options)), next };
    });
  let part = await write(undefined, { ...format, header: true, bom: true });
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(part.bytes),
    async pull(controller) {
      if (part.next === null) return controller.close();
      part = await write(part.next, format);
      controller.enqueue(part.bytes);
    },
  });
}

/** A short list as CSV, in the same form. */
export function csvText<Column extends string>(
  columns: readonly Column[],
  lines: readonly Line<Column>[],
): string {
  return stringify([...lines], { ...formatOf(columns), header: true, bom: true });
}

function formatOf(columns: readonly string[]): Options {
  return {
    columns: [...columns],
    record_delimiter: "\r\n",
    // Advertisers choose their names and what their ads say, and spreadsheets run text that begins like a formula.
    escape_formulas: true,
    cast: { boolean: String },
  };
}

/** Values by key as a cell: JSON, empty for none. */
export function jsonCell(values: Readonly<Record<string, string>>): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values);
}

/** Sends an answer as a CSV file with that name and the day of `now`. */
export function asCsvFile(reply: FastifyReply, name: string, now: number): void {
  const today = new Date(now).toISOString().slice(0, 10);
  reply.headers({
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}-${today}.csv"`,
  });
}

/** Whether a caller takes CSV and no JSON. */
export function asksForCsv({ headers: { accept = "" } }: FastifyRequest): boolean {
  const types = accept.split(",").map((type) => type.split(";", 1)[0]?.trim().toLowerCase());
  return types.includes("text/csv") && !types.includes("application/json");
}
