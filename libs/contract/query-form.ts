import { z } from "zod";
import { unwrapped } from "./unwrapped.ts";

/** How often a parameter may be given: once, as a list, or with keys of its own in brackets (`weight[gte]`). */
type QueryForm = "one" | "list" | QueryParameters;
export type QueryParameters = ReadonlyMap<string, QueryForm>;

/** The values of a query in the contract's shape: texts, lists of texts, and objects of them. */
export interface QueryValues {
  [name: string]: string | string[] | QueryValues;
}

export interface ReadQuery {
  readonly values: QueryValues;
  /** Sentences by dotted path; empty if the query has the form that the contract describes. */
  readonly problems: Record<string, string[]>;
  /** The names that the contract does not have, as they were sent. */
  readonly unknown: string[];
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const INDEX = /^\d*$/;
const NO_PARAMETERS: QueryParameters = new Map();

/** The query parameters of an endpoint: what its input has beside the placeholders of its path. */
export function queryParametersOf(input: unknown, path: string): QueryParameters {
  const form = formOf(input);
  if (typeof form === "string") return NO_PARAMETERS;
  return new Map([...form].filter(([name]) => !path.includes(`{${name}}`)));
}

function formOf(wrapped: unknown): QueryForm {
  const schema = unwrapped(wrapped);
  if (schema instanceof z.ZodArray) return "list";
  if (schema instanceof z.ZodUnion) {
    return schema.options.some((option) => formOf(option) === "list") ? "list" : "one";
  }
  if (schema instanceof z.ZodObject) {
    return new Map(Object.entries(schema.shape).map(([name, value]) => [name, formOf(value)]));
  }
  return "one";
}

/**
 * Reads a query that was split at `&` and `=`, where a parameter given twice is an array. A list may be repeated
 * (`a=1&a=2`), bracketed (`a[]=1`) or numbered (`a[0]=1`); its schema splits it at commas. A single value in one of these
 * forms is a problem rather than an unknown name: a filter that is left out in silence shows what it should have hidden.
 */
export function readQuery(raw: Readonly<Record<string, unknown>>, parameters: QueryParameters): ReadQuery {
  const read: ReadQuery = { values: {}, problems: {}, unknown: [] };
  for (const key of Object.keys(raw)) {
    const simple = parameters.get(key);
    const [, name = "", brackets = ""] = simple === undefined ? (KEY.exec(key) ?? []) : [key, key];
    const form = simple ?? parameters.get(name);
    if (form === undefined) {
      read.unknown.push(key);
      continue;
    }
    const keys = brackets === "" ? [] : brackets.slice(1, -1).split("][");
    take(read, read.values, { path: name, name, form, keys, given: textsOf(raw[key]) });
  }
  return read;
}

interface Part {
  /** From the root, with dots. */
  readonly path: string;
  readonly name: string;
  readonly form: QueryForm;
  /** What is left of the brackets. */
  readonly keys: readonly string[];
  readonly given: readonly string[];
}

function take(read: ReadQuery, into: QueryValues, { path, name, form, keys, given }: Part): void {
  const [key, ...rest] = keys;
  const [value] = given;
  const known = into[name];
  if (form === "one") {
    if (key !== undefined || given.length !== 1 || known !== undefined || value === undefined) {
      read.problems[path] = ["Must be a single value."];
    } else into[name] = value;
  } else if (form === "list") {
    if (rest.length > 0 || !INDEX.test(key ?? "")) {
      const [first = ""] = path.split(".");
      read.problems[path] = [`Must be a list: ${first}=a,b or ${first}=a&${first}=b.`];
    } else into[name] = Array.isArray(known) ? [...known, ...given] : [...given];
  } else if (key === undefined || INDEX.test(key)) {
    const names = [...form.keys()].map((one) => `${name}[${one}]`);
    read.problems[path] = [`Must be given as ${names.join(" or ")}.`];
  } else {
    const inner = form.get(key);
    if (inner === undefined) {
      read.unknown.push(`${path}[${key}]`);
      return;
    }
    const values = typeof known === "object" && !Array.isArray(known) ? known : {};
    into[name] = values;
    take(read, values, { path: `${path}.${key}`, name: key, form: inner, keys: rest, given });
  }
}

function textsOf(given: unknown): string[] {
  return [given].flat().filter((one) => typeof one === "string");
}
