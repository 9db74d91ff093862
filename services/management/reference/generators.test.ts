import { expect, it } from "vitest";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { DIMENSION_NAMES } from "#libs/domain/report-dimensions.ts";
import { composeInterface } from "./openapi.ts";

// What generators of clients read more literally than people do. `npm run test:client` sells an ad with such a client.

const { description, unnamed } = await composeInterface("https://placard.example/v1");
const { paths = {}, info, components } = description;
const parameters = Object.values(paths)
  .flatMap((item) => [item?.get, item?.post, item?.patch, item?.delete])
  .flatMap((operation) => operation?.parameters ?? [])
  .flatMap((parameter) => ("in" in parameter && parameter.in === "query" ? [parameter] : []));

const schemas: Readonly<Record<string, unknown>> = components?.schemas ?? {};

it("describes a new field of each type whole, under a name that no language has taken", () => {
  const text = expect.objectContaining({ type: "string" });
  const body = paths["/workspaces/{workspaceId}/fields"]?.post?.requestBody;

  expect(body).toHaveProperty(["content", "application/json", "schema"], referTo("FieldsCreateBody"));
  expect(schemas.FieldsCreateBody).toEqual({ anyOf: FIELD_TYPES.map((type) => referTo(`New${type}Field`)) });
  for (const type of FIELD_TYPES) {
    expect(schemas[`New${type}Field`]).toMatchObject({
      type: "object",
      required: expect.arrayContaining(["name", "type"]),
      properties: {
        name: text,
        type: { type: "string", enum: [type] },
        isRequired: expect.objectContaining({ type: "boolean" }),
        options: expect.objectContaining({ type: "array" }),
        default: expect.toSatisfy((one) => "type" in one || "$ref" in one),
      },
    });
  }
});

it("has every object and every enumeration once, under a name", () => {
  const hint = "Correct services/management/reference/schema-names.ts.";

  expect(unnamed.map((problem) => `${problem}. ${hint}`)).toEqual([]);
});

it("refers to the shapes of bodies, answers and parameters, and has none of them in place", () => {
  const media = Object.values(paths)
    .flatMap((item) => [item?.get, item?.post, item?.patch, item?.delete])
    .flatMap((operation) => [operation?.requestBody, operation?.responses?.["200"]])
    .flatMap((body) => (body !== undefined && "content" in body ? Object.values(body.content ?? {}) : []));
  const inPlace = JSON.stringify([media, parameters].map((all) => all.map(({ schema }) => schema)));

  expect(media.length).toBeGreaterThan(80);
  expect(inPlace).not.toMatch(/"properties"|"enum"/);
  for (const name of ["CheckoutSubmitBody", "AdsListAnswer", "Currency", "SubscriptionStatus", "NewPrice"])
    expect(schemas).toHaveProperty(name);
});

it("says that bodies of the management surface take no other keys, and that answers may have more", () => {
  for (const name of [
    "InvoicesRefundBody",
    "TiersCreateBody",
    "NewPrice",
    "NewTextField",
    "CheckoutCreateBody",
  ])
    expect(schemas[name], name).toHaveProperty("additionalProperties", false);
  for (const name of ["Tier", "Feature", "AdsListAnswer", "ServerEvent"])
    expect(schemas[name], name).not.toHaveProperty("additionalProperties");
});

it("describes a list in a query as an array and as nothing else", () => {
  const lists = parameters.filter(
    ({ schema }) => schema !== undefined && "type" in schema && schema.type === "array",
  );

  const filters = DIMENSION_NAMES.flatMap((dimension) => [`${dimension}[is]`, `${dimension}[isNot]`]).concat(
    "path[contains]",
  );
  expect(new Set(lists.map(({ name }) => name))).toEqual(
    new Set(["tierId", "excludeIds", "ids", "groupBy", "metrics", ...filters]),
  );
  for (const { schema } of lists) expect(schema).not.toHaveProperty("anyOf");
});

it("says of every query parameter what type it has, also of one with a single value", () => {
  const untyped = parameters.filter(
    ({ schema }) => schema === undefined || !("type" in schema || "$ref" in schema || "anyOf" in schema),
  );

  expect(parameters.map(({ name }) => name)).toContain("include");
  expect(untyped).toEqual([]);
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
  const values = JSON.stringify({ schemas }).match(/"value":\{[^}]*\}/g) ?? [];

  expect(values.length).toBeGreaterThan(0);
  for (const value of values) expect(value).toContain("By the field's type");
});

it("says how programs sign in as a person and pay in the sandbox", () => {
  expect(info.description).toContain("https://placard.example/api/auth/sign-in/email");
  expect(info.description).toContain("https://placard.example/sandbox/checkout/{sessionId}/complete");
});

function referTo(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}
