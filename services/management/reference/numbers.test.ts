import { expect, it } from "vitest";
import { z } from "zod";
import { describeInterface } from "./openapi.ts";

const { components, paths } = z
  .object({
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({ parameters: z.unknown(), requestBody: z.unknown(), responses: z.unknown() }).partial(),
      ),
    ),
  })
  .parse(await describeInterface("https://placard.example/v1"));

/** Requests take every integer that all JSON parsers keep exact: there is no other limit that an amount or a place in an order has. */
const UP_TO_ANY_EXACT_INTEGER = /\.(page|order|amount)$/;
/** A difference of amounts, and an invoice that is a credit. */
const MAY_BE_NEGATIVE = /\.(net|total)$/;
/** Out of range is clamped; and what Stripe sends is Stripe's. */
const UNBOUNDED = ["get /workspaces/{workspaceId}/ads/serving.count", "post /webhooks/stripe.created"];

type Found = readonly [at: string, schema: Readonly<Record<string, unknown>>];

/** The schemas of that type below a place, with the names of the properties on the way. */
function numbersIn(value: unknown, at: string, type = "integer"): Found[] {
  if (typeof value !== "object" || value === null) return [];
  if ("$ref" in value) return numbersIn(schemaOf(value.$ref), at, type);
  const own: Found[] = "type" in value && value.type === type ? [[at, { ...value }]] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => {
      if (key === "example" || key === "examples") return [];
      if (key === "parameters" && Array.isArray(inner)) {
        return inner.flatMap((one) => numbersIn(one.schema, `${at}.${one.name}`, type));
      }
      if (key !== "properties") return numbersIn(inner, at, type);
      return Object.entries(inner).flatMap(([name, schema]) => numbersIn(schema, `${at}.${name}`, type));
    }),
  ];
}

function schemaOf(ref: unknown): unknown {
  const [, name = ""] = /^#\/components\/schemas\/(\w+)$/.exec(String(ref)) ?? [];
  return components.schemas[name];
}

function operations() {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  );
}

const requests = operations().flatMap(({ at, operation: { parameters, requestBody } }) =>
  numbersIn({ parameters, requestBody }, at),
);
const answers = operations().flatMap(({ at, operation }) => numbersIn(operation.responses, at));

it("gives every integer of a request the range that is taken", () => {
  expect(requests.length).toBeGreaterThan(40);
  for (const [at, { minimum, maximum }] of requests) {
    if (UNBOUNDED.includes(at)) continue;
    expect(minimum ?? 0, at).toBeGreaterThanOrEqual(0);
    if (!UP_TO_ANY_EXACT_INTEGER.test(at)) expect(maximum, at).toBeLessThan(Number.MAX_SAFE_INTEGER);
  }
});

it("promises counts and amounts from 0, and no bound that says nothing", () => {
  expect(answers.length).toBeGreaterThan(80);
  for (const [at, { minimum, maximum }] of answers) {
    expect(maximum, at).not.toBe(Number.MAX_SAFE_INTEGER);
    if (minimum === undefined) expect(at).toMatch(MAY_BE_NEGATIVE);
    else expect(minimum, at).toBeGreaterThanOrEqual(0);
  }
});

it("tells generated clients which integers need 64 bits", () => {
  for (const [at, { maximum, format }] of [...requests, ...answers]) {
    if (UNBOUNDED.includes(at)) continue;
    const isLarge = typeof maximum !== "number" || maximum > 2 ** 31 - 1;
    expect(format, at).toBe(isLarge ? "int64" : undefined);
  }
});

it("tells them that other numbers need double precision", () => {
  const weights = operations().flatMap(({ at, operation }) => numbersIn(operation, at, "number"));

  expect(weights.length).toBeGreaterThan(20);
  for (const [at, { format }] of weights) expect(format, at).toBe("double");
});
