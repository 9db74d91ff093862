import { ClickHouseException } from "./exception.ts";
import { quoteText } from "./statement.ts";

/** The longest field of a form that a server takes, in bytes (`http_max_field_value_size`): what is refused there is refused here. */
const LONGEST_FIELD = 131_072;

/**
 * Texts, names and comments to the end of a line, in which nothing is a placeholder, or a placeholder: `{name:Type}`. What is not closed
 * ends with the statement, so that nothing is looked through twice.
 */
const TOKEN =
  /'(?:[^'\\]|\\.?)*(?:'|$)|"(?:[^"\\]|\\.?)*(?:"|$)|`(?:[^`\\]|\\.?)*(?:`|$)|--[^\n]*|\{ *(\w+) *:([^{}]*)\}/gs;

/**
 * Writes the parameters of an address into a statement, each as a constant of its placeholder's type: chdb itself runs statements that
 * have parameters one after the other, whatever their sessions, so that a long one would keep all others waiting. Throws
 * `ClickHouseException`.
 */
export function withParameters(sql: string, address: URLSearchParams): string {
  const given = new Map<string, string>();
  for (const [key, text] of address) {
    if (!key.startsWith("param_")) continue;
    const name = key.slice("param_".length);
    if (!/^\w+$/.test(name)) throw badParameter(name);
    given.set(name, text);
  }
  if (given.size === 0) return sql;
  return sql.replaceAll(TOKEN, (token, name: string | undefined, type: string) => {
    const text = name === undefined ? undefined : given.get(name);
    return name === undefined || text === undefined ? token : constantOf(name, type.trim(), text);
  });
}

/** As ClickHouse writes them, so that a mutation, which is kept as text, has the same. */
function constantOf(name: string, type: string, text: string): string {
  if (type === "Identifier")
    return `\`${readEscapes(name, text).replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
  if (type === "String" && text !== "\\N") return quoteText(readEscapes(name, text));
  const value = type.startsWith("Array(")
    ? `[${readArray(name, text).map(quoteText).join(", ")}]`
    : text === "\\N"
      ? "NULL"
      : quoteText(readEscapes(name, text));
  return `_CAST(${value}, ${quoteText(type)})`;
}

const ESCAPES = new Map([
  ["\\", "\\"],
  ["'", "'"],
  ["t", "\t"],
  ["n", "\n"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["0", "\0"],
]);

function readEscapes(name: string, text: string): string {
  return text.replaceAll(/\\(.?)/gsu, (_, letter: string) => {
    const plain = ESCAPES.get(letter);
    if (plain === undefined) throw badParameter(name);
    return plain;
  });
}

const ELEMENT = /\s*(?:'((?:[^'\\]|\\.)*)'|(-?[\w.]+))\s*(,|$)/suy;

function readArray(name: string, text: string): string[] {
  if (!text.startsWith("[") || !text.endsWith("]")) throw badParameter(name);
  const inside = text.slice(1, -1);
  if (inside.trim() === "") return [];
  const elements: string[] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const found = ELEMENT.exec(inside);
    if (found === null) throw badParameter(name);
    const [, quoted, bare = "", end] = found;
    elements.push(quoted === undefined ? bare : readEscapes(name, quoted));
    if (end === "") return elements;
  }
}

function badParameter(name: string): ClickHouseException {
  return new ClickHouseException(
    457,
    "BAD_QUERY_PARAMETER",
    `Cannot read the value of parameter ${JSON.stringify(name)}`,
  );
}

/**
 * The fields of a form in a body, to be read like those of an address: so the client sends parameters that are too
 * long for one. Empty for a body of another type. Throws `ClickHouseException`.
 */
export async function readForm(contentType: string | undefined, body: Buffer): Promise<[string, string][]> {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return [];
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } })
    .formData()
    .catch(() => {
      throw new ClickHouseException(36, "BAD_ARGUMENTS", "Cannot read the form");
    });
  return [...form].map(([name, value]) => {
    if (typeof value !== "string")
      throw new ClickHouseException(48, "NOT_IMPLEMENTED", "Tables in a form are not taken");
    if (Buffer.byteLength(value) > LONGEST_FIELD)
      throw new ClickHouseException(1000, "POCO_EXCEPTION", "HTML Form Exception: Field value too long");
    return [name, value];
  });
}
