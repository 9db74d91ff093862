import { expect, it } from "vitest";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { describeInterface } from "./openapi.ts";

// What generators of clients read more literally than people do. `npm run test:client` sells an ad with such a client.

const { paths = {}, info } = await describeInterface("https://placard.example/v1");
const parameters = Object.values(paths)
  .flatMap((item) => [item?.get, item?.post, item?.patch, item?.delete])
  .flatMap((operation) => operation?.parameters ?? [])
  .flatMap((parameter) => ("in" in parameter && parameter.in === "query" ? [parameter] : []));

it("describes a new field of each type whole, under a name that no language has taken", () => {
  const text = { type: "string" };
  const kinds = paths["/workspaces/{workspaceId}/fields"]?.post?.requestBody;

  expect(kinds).toHaveProperty(["content", "application/json", "schema"], {
    anyOf: FIELD_TYPES.map((type) =>
      expect.objectContaining({
        title: `${type}Field`,
        type: "object",
        required: expect.arrayContaining(["name", "type"]),
        properties: expect.objectContaining({
          name: expect.objectContaining(text),
          type: { type: "string", enum: [type] },
          isRequired: expect.objectContaining({ type: "boolean" }),
          options: expect.objectContaining({ type: "array" }),
          default: expect.objectContaining(text),
        }),
      }),
    ),
  });
});

it("describes a list in a query as an array and as nothing else", () => {
  const lists = parameters.filter(
    ({ schema }) => schema !== undefined && "type" in schema && schema.type === "array",
  );

  expect(lists.map(({ name }) => name)).toEqual(["tierId", "excludeIds"]);
  for (const { schema } of lists) expect(schema).not.toHaveProperty("anyOf");
});

it("says what a query parameter is for in the schema and beside it: generators look at one of them", () => {
  const described = parameters.filter(({ schema }) => schema !== undefined && "description" in schema);

  expect(described.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["excludeIds", "weight[gte]", "page"]),
  );
  for (const { name, schema, description } of described) {
    expect(schema, name).toHaveProperty("description", description);
  }
});

it("says what the value of a field may be wherever one is sent or read", () => {
  const values = JSON.stringify({ paths }).match(/"value":\{[^}]*\}/g) ?? [];

  expect(values.length).toBeGreaterThan(0);
  for (const value of values) expect(value).toContain("By the field's type");
});

it("says how programs sign in as a person and pay in the sandbox", () => {
  expect(info.description).toContain("https://placard.example/api/auth/sign-in/email");
  expect(info.description).toContain("https://placard.example/sandbox/checkout/{sessionId}/complete");
});
