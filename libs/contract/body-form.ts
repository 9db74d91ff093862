import { z } from "zod";
import { unwrapped } from "./unwrapped.ts";

/** What keys a value of a body may have: null for one that is no container, or whose keys are its own business. */
type BodyForm = null | { readonly each: BodyForm } | BodyKeys;
export type BodyKeys = ReadonlyMap<string, BodyForm>;

const NO_KEYS: BodyKeys = new Map();

/** The keys of an endpoint's body: what its input has beside the placeholders of its path. */
export function bodyKeysOf(input: unknown, path: string): BodyKeys {
  const form = formOf(input);
  if (!(form instanceof Map)) return NO_KEYS;
  return new Map([...form].filter(([name]) => !path.includes(`{${name}}`)));
}

function formOf(wrapped: unknown): BodyForm {
  const schema = unwrapped(wrapped);
  if (schema instanceof z.ZodArray) {
    const each = formOf(schema.element);
    return each === null ? null : { each };
  }
  if (schema instanceof z.ZodObject) {
    return new Map(Object.entries(schema.shape).map(([name, value]) => [name, formOf(value)]));
  }
  return null;
}

/** A name that a request may not have, by dotted path, and the names that it may have there. */
export interface UnknownName {
  readonly at: string;
  readonly known: readonly string[];
}

/** A request with a million unknown names must not get an answer of millions of lines. */
export const MOST_UNKNOWN = 20;

/** The first keys of a body that its schema does not have. */
export function findUnknownKeys(body: object, keys: BodyKeys): UnknownName[] {
  const unknown: UnknownName[] = [];
  look(unknown, "", body, keys);
  return unknown;
}

function look(unknown: UnknownName[], path: string, value: unknown, form: BodyForm): void {
  if (form === null || typeof value !== "object" || value === null) return;
  // A container of the wrong kind is a problem of its own, which validation names.
  if (Array.isArray(value) !== "each" in form) return;
  for (const [name, inner] of Object.entries(value)) {
    if (unknown.length === MOST_UNKNOWN) return;
    const at = `${path}${name}`;
    if ("each" in form) look(unknown, `${at}.`, inner, form.each);
    else if (form.has(name)) look(unknown, `${at}.`, inner, form.get(name) ?? null);
    else unknown.push({ at, known: [...form.keys()] });
  }
}
