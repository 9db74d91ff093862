import type { OpenAPI } from "@orpc/contract";

const LARGEST_OF_32_BITS = 2 ** 31 - 1;

/**
 * Makes the numbers of a description useful to a reader: integers of answers lose the bounds that every exact integer in
 * JSON has anyway, and those that 32 bits cannot hold have the format by which generated clients take 64. So have all others.
 */
export function plainNumbers(description: OpenAPI.Document): void {
  const { components, paths } = description;
  const shared = [components?.schemas, components?.responses];
  for (const one of shared) visit(one, dropOwnBounds);
  for (const item of Object.values(paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (!isTree(operation)) continue;
      visit(operation.responses, dropOwnBounds);
      for (const part of [operation.requestBody, operation.responses]) visit(part, nameFormat);
      visit(operation.parameters, nameFormatOfBounded);
    }
  }
  for (const one of shared) visit(one, nameFormat);
}

type Tree = Record<string, unknown>;

function dropOwnBounds(schema: Tree): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function nameFormat(schema: Tree): void {
  if (schema.type === "number") schema.format = "double";
  else if (typeof schema.maximum !== "number" || schema.maximum > LARGEST_OF_32_BITS) schema.format = "int64";
}

/** A parameter without a bound takes an integer of any length; a format would be a bound. */
function nameFormatOfBounded(schema: Tree): void {
  if (schema.type === "number" || typeof schema.maximum === "number") nameFormat(schema);
}

/** Calls `change` with each schema of a number, however deep. Examples are values and no schemas. */
function visit(value: unknown, change: (schema: Tree) => void): void {
  if (!isTree(value)) return;
  if (value.type === "integer" || value.type === "number") change(value);
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") visit(inner, change);
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}
