import { getContractRouter, isContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { composeInterface } from "./openapi.ts";

const endpoints = listEndpoints(contract);
const composed = await composeInterface("https://placard.example/v1");
const description = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
    components: z.object({ schemas: z.unknown() }),
  })
  .parse(composed.description);
const HINT =
  "Give it an `examples` in the contract, or an entry in services/management/reference/example-values.ts.";

/** Linters take a creative field in an example for a schema, so its properties have examples instead. */
const WITH_FIELDS = ["checkout.get", "fields.create", "fields.get", "fields.list", "fields.update"];

const operation = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), example: z.unknown().optional() }))
    .default([]),
  requestBody: z
    .object({ content: z.object({ "application/json": z.object({ example: z.unknown() }) }) })
    .optional(),
  responses: z.object({
    200: z.object({ content: z.record(z.string(), z.object({ example: z.unknown().optional() })) }),
  }),
});

function operationOf({ method, path }: Endpoint) {
  return operation.parse(description.paths[path]?.[method.toLowerCase()]);
}

function schemasOf(name: string) {
  const found = getContractRouter(contract, name.split("."));
  if (!isContractProcedure(found)) throw new Error(`the contract has no ${name}`);
  const { inputSchema, outputSchema } = found["~orpc"];
  return { input: inputSchema, output: outputSchema };
}

/** `weight[gte]` of a query as a part of `weight`. */
function unfold(name: string, value: unknown): [string, unknown] {
  const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
  return outer === undefined || inner === undefined ? [name, value] : [outer, { [inner]: value }];
}

it("has an example of every parameter, body and answer", () => {
  expect(composed.missing.map((place) => `${place} has no example. ${HINT}`)).toEqual([]);
});

it("has an example of each property of a creative field", () => {
  const { Field } = z
    .object({ Field: z.object({ properties: z.record(z.string(), z.unknown()) }) })
    .parse(description.components.schemas);

  expect(Object.keys(Field.properties)).toContain("default");
  for (const [name, property] of Object.entries(Field.properties))
    expect(property, name).toHaveProperty("examples");
});

it.each(endpoints)(
  "shows a request of $name that the contract takes, and an answer that it can give",
  (endpoint) => {
    const { parameters, requestBody, responses } = operationOf(endpoint);
    const { input, output } = schemasOf(endpoint.name);
    const given = parameters
      .filter((parameter) => parameter.in !== "header")
      .map(({ name, example }) => unfold(name, example));
    const body = z
      .record(z.string(), z.unknown())
      .parse(requestBody?.content["application/json"].example ?? {});

    if (input instanceof z.ZodType) {
      expect(input.safeParse({ ...Object.fromEntries(given), ...body }).error, endpoint.name).toBeUndefined();
    }
    for (const [type, { example }] of Object.entries(responses[200].content)) {
      if (WITH_FIELDS.includes(endpoint.name)) expect(example, endpoint.name).toBeUndefined();
      // A file is a stream in the contract.
      else if (output instanceof z.ZodObject && type === "application/json")
        expect(output.safeParse(example).error, endpoint.name).toBeUndefined();
    }
  },
);
