import { ClickHouseException } from "./exception.ts";

/** The longest field of a form that a server takes, in bytes (`http_max_field_value_size`): what is refused there is refused here. */
const LONGEST_FIELD = 131_072;

export type ParameterValue = string | null | readonly string[];

/**
 * chdb binds JavaScript values and escapes them itself, while the HTTP interface carries values that are escaped
 * already. So each is decoded, by the type of its `{name:Type}` placeholder.
 */
export function readParameters(sql: string, address: URLSearchParams): Map<string, ParameterValue> {
  const values = new Map<string, ParameterValue>();
  for (const [key, text] of address) {
    if (!key.startsWith("param_")) continue;
    const name = key.slice("param_".length);
    values.set(name, isArray(name, sql) ? readArray(name, text) : readScalar(name, text));
  }
  return values;
}

const ARRAY_PLACEHOLDER = /\{\s*(\w+)\s*:\s*Array\(/g;

function isArray(name: string, sql: string): boolean {
  if (!/^\w+$/.test(name)) throw badParameter(name);
  return [...sql.matchAll(ARRAY_PLACEHOLDER)].some(([, placeholder]) => placeholder === name);
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

function readScalar(name: string, text: string): string | null {
  return text === "\\N" ? null : readEscapes(name, text);
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
