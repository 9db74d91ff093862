import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIELD_TYPES } from "#libs/domain/field.ts";

it("has every type of a creative field as a value of the database's own type", () => {
  const schema = readFileSync(new URL("./schema.sql", import.meta.url), "utf8");

  const [, values = ""] = /create type field_type as enum \(([^)]*)\)/.exec(schema) ?? [];
  expect(values).toBe(FIELD_TYPES.map((type) => `'${type}'`).join(", "));
});
