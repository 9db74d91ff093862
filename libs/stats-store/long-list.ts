/** ClickHouse refuses a parameter of over 128 KiB. In characters, with what the client writes around each text. */
const LONGEST_PARAMETER = 100_000;
const AROUND_A_TEXT = "'',".length;

/** Numbers in one parameter. */
const NUMBERS = 5_000;

export interface LongList {
  /** The list, for the text of a query. */
  readonly sql: string;
  readonly params: Readonly<Record<string, readonly string[]>>;
}

/** A list of ASCII texts of any length, each once, in as many parameters as it needs: `name0`, `name1` and so on. */
export function longList(name: string, texts: readonly string[]): LongList {
  const parts: string[][] = [[]];
  let length = 0;
  for (const text of new Set(texts)) {
    length += text.length + AROUND_A_TEXT;
    if (length > LONGEST_PARAMETER) {
      parts.push([]);
      length = text.length + AROUND_A_TEXT;
    }
    parts.at(-1)?.push(text);
  }
  return listOf(name, parts);
}

/** A list of whole numbers below 2^32, as often and in the order as given. The embedded ClickHouse takes lists of texts alone. */
export function longNumbers(name: string, numbers: readonly number[]): LongList {
  const parts = Array.from({ length: Math.max(1, Math.ceil(numbers.length / NUMBERS)) }, (_, n) =>
    numbers.slice(n * NUMBERS, (n + 1) * NUMBERS).map(String),
  );
  const { sql, params } = listOf(name, parts);
  return { sql: `arrayMap(text -> toUInt32(text), ${sql})`, params };
}

function listOf(name: string, parts: readonly (readonly string[])[]): LongList {
  const placeholders = parts.map((_, n) => `{${name}${n}:Array(String)}`);
  return {
    sql: `arrayConcat(${placeholders.join(", ")})`,
    params: Object.fromEntries(parts.map((part, n) => [`${name}${n}`, part])),
  };
}
