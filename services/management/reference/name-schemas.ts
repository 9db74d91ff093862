import type { OpenAPI } from "@orpc/contract";
import { SCHEMA_NAMES } from "./schema-names.ts";

type Tree = Readonly<Record<string, unknown>>;
/** Anything with a schema: a parameter, or a body or answer of one media type. */
interface Holder {
  schema?: unknown;
}
/** Replaces a shape; `inner` is the same one, with the shapes inside it replaced. */
type Change = (shape: Tree, inner: Tree, place: string) => unknown;

/** What a schema says about its place rather than about its shape. It stays beside the reference. */
const ABOUT_THE_PLACE = ["description", "default", "examples"];
const WORDS = ["description", "examples", "example", "title"];
const ROOT_WORDS = [...WORDS, "default"];
const REF = "#/components/schemas/";

/**
 * Moves every object and every enumeration of bodies, answers and parameters into `components.schemas`, each shape once, and
 * refers to it from wherever it is: a generated client gets one type for one thing. A shape has its name from `SCHEMA_NAMES`,
 * or from its place. Returns what `SCHEMA_NAMES` lacks, the shapes of several places, and what it has too much.
 */
export function nameSchemas(description: OpenAPI.Document): string[] {
  const schemas: Tree = { ...description.components?.schemas };
  const { keyOf } = shapesOf(schemas);
  const holders = holdersOf(description);
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [keyOf(schema), name]));

  const placesOf = new Map<string, string[]>();
  const count: Change = (shape, _inner, place) => {
    const key = keyOf(shape);
    placesOf.set(key, [...(placesOf.get(key) ?? []), place]);
    return shape;
  };
  for (const [name, schema] of Object.entries(schemas)) mapInside(schema, name, count);
  for (const { holder, place } of holders) mapShapes(holder.schema, place, count);

  const problems: string[] = [];
  for (const [name, place] of Object.entries(SCHEMA_NAMES)) {
    const key = [...placesOf].find(([, places]) => places.includes(place))?.[0];
    if (key === undefined || names.has(key)) problems.push(`${name}: nothing without a name is at ${place}`);
    else names.set(key, name);
  }
  for (const [key, places] of placesOf) {
    if (names.has(key)) continue;
    if (places.length > 1) problems.push(`the shape of ${places.join(", ")} has no name`);
    const name = nameOf(places[0] ?? "");
    if ([...names.values()].includes(name))
      problems.push(`${places.join(", ")}: another shape is called ${name}`);
    names.set(key, name);
  }

  const named: Record<string, unknown> = {};
  const move: Change = (shape, inner) => {
    const name = names.get(keyOf(shape)) ?? "";
    const entries = Object.entries(inner);
    named[name] ??= Object.fromEntries(
      entries.filter(([key]) => ![...ABOUT_THE_PLACE, "title"].includes(key)),
    );
    return {
      $ref: `${REF}${name}`,
      ...Object.fromEntries(entries.filter(([key]) => ABOUT_THE_PLACE.includes(key))),
    };
  };
  for (const [name, schema] of Object.entries(schemas)) named[name] = mapInside(schema, name, move);
  for (const { holder, place } of holders) holder.schema = mapShapes(holder.schema, place, move);
  const sorted = Object.entries(named).toSorted(([one], [other]) => (one < other ? -1 : 1));
  Object.assign(description, {
    components: { ...description.components, schemas: Object.fromEntries(sorted) },
  });
  return problems;
}

/** `tiers.create.request` as `TiersCreateBody`, and what is inside a shape with a name as a part of that. */
function nameOf(place: string): string {
  const [name = "", outer = ""] =
    Object.entries(SCHEMA_NAMES)
      .toSorted(([, one], [, other]) => other.length - one.length)
      .find(([, outer]) => place.startsWith(`${outer}.`)) ?? [];
  const steps = place
    .slice(outer.length)
    .split(/[.[\]]/)
    .map((step) => (step === "request" ? "body" : step));
  return name + steps.map((step) => `${step.slice(0, 1).toUpperCase()}${step.slice(1)}`).join("");
}

function holdersOf({ paths }: OpenAPI.Document): { readonly holder: Holder; readonly place: string }[] {
  const operations = Object.values(paths ?? {}).flatMap((item) => [
    item?.get,
    item?.post,
    item?.patch,
    item?.delete,
  ]);
  return operations.flatMap((operation) => {
    if (operation === undefined) return [];
    const { operationId = "", parameters = [], requestBody, responses } = operation;
    const answer = responses?.["200"];
    return [
      ...parameters.flatMap((one) =>
        "in" in one ? [{ holder: one, place: `${operationId}.${one.name}` }] : [],
      ),
      ...mediaOf(requestBody).map((holder) => ({ holder, place: `${operationId}.request` })),
      ...mediaOf(answer).map((holder) => ({ holder, place: `${operationId}.answer` })),
    ];
  });
}

function mediaOf(
  body: OpenAPI.RequestBodyObject | OpenAPI.ResponseObject | OpenAPI.ReferenceObject | undefined,
) {
  return body === undefined || !("content" in body) ? [] : Object.values(body.content ?? {});
}

/** What becomes a type of its own: an object, an enumeration, and a choice between objects. */
function isShape(schema: Tree): boolean {
  if (schema.type === "object") return isTree(schema.properties);
  if (Array.isArray(schema.enum)) return schema.type === "string" && schema.enum.length > 1;
  return (
    Array.isArray(schema.anyOf) &&
    schema.anyOf.length > 1 &&
    schema.anyOf.every((one) => one.type === "object")
  );
}

function mapShapes(schema: unknown, place: string, change: Change): unknown {
  if (!isTree(schema)) return schema;
  const inner = mapInside(schema, place, change);
  return isShape(schema) ? change(schema, inner, place) : inner;
}

/** The schema with the shapes inside it replaced. A list and what may be null are at the place of what they hold. */
function mapInside(schema: unknown, place: string, change: Change): Tree {
  if (!isTree(schema)) return {};
  const inner: Record<string, unknown> = { ...schema };
  const { properties, items, anyOf, additionalProperties } = schema;
  if (isTree(properties)) {
    const mapped = Object.entries(properties).map(([name, one]) => [
      name,
      mapShapes(one, `${place}.${name}`, change),
    ]);
    inner.properties = Object.fromEntries(mapped);
  }
  if (isTree(items)) inner.items = mapShapes(items, place, change);
  if (isTree(additionalProperties))
    inner.additionalProperties = mapShapes(additionalProperties, place, change);
  if (Array.isArray(anyOf)) {
    inner.anyOf = anyOf.map((one) =>
      mapShapes(one, isTree(one) && one.title ? String(one.title) : place, change),
    );
  }
  return inner;
}

/** A text that is equal for schemas of the same shape, whatever their words and whether they are referred to or not. */
function shapesOf(schemas: Tree) {
  const known = new WeakMap<Tree, string>();
  function keyOf(schema: unknown): string {
    if (!isTree(schema)) return "";
    const key = known.get(schema) ?? JSON.stringify(wordless(schema, ROOT_WORDS));
    known.set(schema, key);
    return key;
  }
  function wordless(value: unknown, words = WORDS): unknown {
    if (Array.isArray(value)) return value.map((one) => wordless(one));
    if (!isTree(value)) return value;
    if (typeof value.$ref === "string") return wordless(schemas[value.$ref.slice(REF.length)], ROOT_WORDS);
    return Object.entries(value)
      .filter(([key]) => !words.includes(key))
      .map(([key, one]) => [key, key === "properties" && isTree(one) ? wordlessEach(one) : wordless(one)]);
  }
  function wordlessEach(properties: Tree) {
    return Object.entries(properties).map(([name, one]) => [name, wordless(one)]);
  }
  return { keyOf };
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
