import type { Correction } from "#libs/domain/correction.ts";
import { READ_VERDICTS } from "#libs/domain/event.ts";

/** A piece of a query, and the values that it names. */
export interface Part {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const NOTHING: Part = { sql: "0", params: {} };
/** As the column, so that rows are in the order of verdicts. */
const READ = `Enum8(${READ_VERDICTS.map((verdict, n) => `'${verdict}' = ${n + 1}`).join(", ")})`;

/** The verdict with which a row of a table is read, whose UTC day is `day`. */
export function readVerdict(corrections: readonly Correction[], table: string, day: string): Part {
  const { sql, params } = isCorrected(corrections, table, day);
  const stored = `${table}.verdict`;
  if (corrections.length === 0) return { sql: stored, params };
  return {
    sql: `CAST(if(${stored} = 'valid' AND ${sql}, 'corrected', toString(${stored})) AS ${READ})`,
    params,
  };
}

/** Whether the valid events of a row of a table, whose UTC day is `day`, are corrected. */
export function isCorrected(corrections: readonly Correction[], table: string, day: string): Part {
  if (corrections.length === 0) return NOTHING;
  const lists = "{correctedAds:Array(String)}, {correctedFrom:Array(Date)}, {correctedTo:Array(Date)}";
  return {
    sql: `arrayExists((ad, first, last) -> ad = ${table}.ad_id AND ${day} BETWEEN first AND last, ${lists})`,
    params: {
      correctedAds: corrections.map(({ adId }) => adId),
      correctedFrom: corrections.map(({ from }) => from),
      correctedTo: corrections.map(({ to }) => to),
    },
  };
}
