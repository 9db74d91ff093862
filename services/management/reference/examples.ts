import type { OpenAPI } from "@orpc/contract";
import { LEFT_OUT } from "./example-figures.ts";
import { EXAMPLE_VALUES } from "./example-values.ts";

type Tree = Readonly<Record<string, unknown>>;

/** An example, or the place in the interface for which nothing says what one looks like. */
export type Example = { readonly value: unknown } | { readonly missing: string };

/**
 * An example of a schema, put together from those of its parts: the entry of `EXAMPLE_VALUES` with the longest name that
 * fits, the contract's own example, or the first of several fixed values. `path` names the place: `["tiers.create", "request"]`.
 */
function exampleOf(schema: unknown, path: readonly string[], schemas: Tree): Example {
  const named = namedValue(path);
  if (named !== undefined) return { value: named };
  if (!isTree(schema)) return missingAt(path);
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return exampleOf(schemas[name], [...path, name], schemas);
  }
  const [own] = [schema.examples, schema.const, schema.enum].flat().filter((value) => value !== undefined);
  if (own !== undefined) return { value: own };
  if (schema.type === "boolean") return { value: false };
  if (isTree(schema.properties)) return exampleOfObject(schema.properties, path, schemas);
  const [first] = [schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []]
    .flat()
    .filter((one) => !isTree(one) || one.type !== "null");
  if (first !== undefined) return exampleOf(first, path, schemas);
  if (schema.type !== "array") return missingAt(path);
  const element = exampleOf(schema.items, path, schemas);
  return "missing" in element ? element : { value: [element.value] };
}

function exampleOfObject(properties: Tree, path: readonly string[], schemas: Tree): Example {
  const values: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const example = exampleOf(schema, [...path, name], schemas);
    if ("missing" in example) return example;
    if (example.value !== LEFT_OUT) values.push([name, example.value]);
  }
  return { value: Object.fromEntries(values) };
}

function missingAt(path: readonly string[]): Example {
  return { missing: path.join(".") };
}

function namedValue(path: readonly string[]): unknown {
  const steps = path.join(".").split(".");
  for (const from of steps.keys()) {
    const name = steps.slice(from).join(".");
    if (Object.hasOwn(EXAMPLE_VALUES, name)) return EXAMPLE_VALUES[name];
  }
  return undefined;
}

/**
 * Whether an example has an object with both a `type` and a `default`, as a creative field has: linters take it for a schema,
 * and its `default` for one of the wrong type. `addPropertyExamples` shows what such an answer looks like.
 */
function looksLikeSchema(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("type" in value && "default" in value) return true;
  return Object.values(value).some(looksLikeSchema);
}

/** Gives each property of a schema an example of its own. */
export function addPropertyExamples(name: string, schemas: Tree): void {
  const schema = schemas[name];
  if (!isTree(schema) || !isTree(schema.properties)) throw new Error(`${name} has no properties`);
  for (const [property, one] of Object.entries(schema.properties)) {
    const example = exampleOf(one, [name, property], schemas);
    if (isTree(one) && "value" in example) Object.assign(one, { examples: [example.value] });
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

/**
 * Gives an operation an example of its body, of each parameter and of its answer. Returns the places that lack one: they
 * are a test's business, and no reason not to start.
 */
export function addExamples(name: string, operation: OpenAPI.OperationObject, schemas: Tree): string[] {
  const missing: string[] = [];
  const add = (holder: { schema?: unknown; example?: unknown }, path: readonly string[]) => {
    const example = exampleOf(holder.schema, path, schemas);
    if ("missing" in example) missing.push(example.missing);
    else if (!looksLikeSchema(example.value)) holder.example = example.value;
  };
  const parameters = (operation.parameters ?? []).map((parameter) => ({ ...parameter }));
  for (const parameter of parameters) {
    if (!("name" in parameter) || parameter.example !== undefined) continue;
    // Another one for each, as a key belongs to one request.
    if (parameter.name === "Idempotency-Key") parameter.example = `${name}-1`;
    else add(parameter, [name, parameter.name]);
  }
  operation.parameters = parameters;
  const { requestBody, responses } = operation;
  if (requestBody !== undefined && "content" in requestBody) {
    for (const media of Object.values(requestBody.content)) add(media, [name, "request"]);
  }
  const answer = responses?.["200"];
  if (answer !== undefined && "content" in answer) {
    for (const media of Object.values(answer.content ?? {})) add(media, [name, "answer"]);
  }
  return missing;
}
