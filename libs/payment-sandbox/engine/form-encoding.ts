import { invalidRequest } from "./api-error.ts";

/** A form-encoded body: `a[b][0]=c` is `{a: {b: ["c"]}}`. */
export type FormValue = string | FormValue[] | FormObject;
export interface FormObject {
  [key: string]: FormValue;
}

const MOST_PAIRS = 1000;
const DEEPEST = 8;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** Reads Stripe's form encoding, of a body or a query. Throws `ApiError` 400 when it is malformed. */
export function parseForm(text: string): FormObject {
  const root: FormObject = Object.create(null);
  const pairs = text === "" ? [] : text.split("&");
  if (pairs.length > MOST_PAIRS) throw invalidRequest(`A request has at most ${MOST_PAIRS} parameters.`);
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    setValue(root, pathOf(name), equals < 0 ? "" : decode(pair.slice(equals + 1)), name);
  }
  return withArrays(root);
}

/** A parameter's name as Stripe writes it: `line_items[0][price]`. */
export function parameterName(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (index === 0 ? String(key) : `[${String(key)}]`)).join("");
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // Refused below, like a null byte.
  }
  throw invalidRequest("Invalid request: a parameter holds characters that are not allowed.");
}

function pathOf(name: string): string[] {
  const match = NAME.exec(name);
  const path = [
    match?.[1] ?? "",
    ...[...(match?.[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? ""),
  ];
  if (match === null || path.length > DEEPEST || path.includes("__proto__")) {
    throw invalidRequest(`Invalid parameter name: ${name.slice(0, 100)}`);
  }
  return path;
}

function setValue(root: FormObject, path: readonly string[], value: string, name: string): void {
  let at = root;
  for (const [index, part] of path.entries()) {
    const key = part === "" ? String(Object.keys(at).length) : part;
    if (index === path.length - 1) {
      if (typeof at[key] === "object") throw invalidRequest(`Invalid parameter: ${name.slice(0, 100)}`);
      at[key] = value;
      return;
    }
    const next = at[key] ?? Object.create(null);
    if (typeof next === "string") throw invalidRequest(`Invalid parameter: ${name.slice(0, 100)}`);
    at[key] = next;
    at = next;
  }
}

/** Turns objects with the keys 0, 1, 2… into arrays. */
function withArrays(object: FormObject): FormObject {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === "string" || Array.isArray(value)) continue;
    const inner = withArrays(value);
    const keys = Object.keys(inner);
    object[key] =
      keys.length > 0 && keys.every((k, index) => k === String(index)) ? Object.values(inner) : inner;
  }
  return object;
}
