import { isContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "./contract.ts";
import { listEndpoints } from "./endpoints.ts";

/** Words of the library that checks inputs, which no integrator has to know. */
const FOREIGN =
  /(?<!ctr(?:,| or) )invalid|expected|received|too (small|big)|unrecognized|>=|<=|\bNaN\b|undefined|regex|pattern/i;

/** What integrators send by mistake in the place of a value, with what breaks each kind of rule. */
const MISTAKES: readonly unknown[] = [
  undefined,
  null,
  "",
  " ",
  "x",
  "x".repeat(20_000),
  "\u0000",
  "1.5",
  "-1",
  -1,
  0,
  1.5,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  [],
  [1, "x", null, {}],
  Array.from({ length: 1_001 }, () => ({})),
  {},
  { unknown: 1 },
];

/** The schema without what says only that it may be left out or null. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return bare(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** Inputs of which each has one mistake, at any depth. */
function mistakesIn(schema: z.core.$ZodType): unknown[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) {
    const deeper = Object.entries(inner.shape).flatMap(([key, value]) =>
      mistakesIn(value).map((mistake) => ({ [key]: mistake })),
    );
    return [...MISTAKES, ...deeper];
  }
  if (inner instanceof z.ZodArray) return [...MISTAKES, ...mistakesIn(inner.element).map((one) => [one])];
  return [...MISTAKES];
}

function schemaOf(name: string): z.ZodType | null {
  const found = name
    .split(".")
    .reduce<unknown>(
      (router, key) => (typeof router === "object" && router !== null ? Reflect.get(router, key) : undefined),
      contract,
    );
  if (!isContractProcedure(found)) throw new Error(`${name} is not in the contract`);
  const { inputSchema } = found["~orpc"];
  if (inputSchema === undefined) return null;
  if (!(inputSchema instanceof z.ZodType)) throw new Error(`${name} has an input that is not zod's`);
  return inputSchema;
}

it.each(listEndpoints(contract).map(({ name }) => name))(
  "tells every mistake in the input of %s in plain words",
  (name) => {
    const schema = schemaOf(name);
    const said = new Set(
      mistakesIn(schema ?? z.unknown()).flatMap((input) =>
        (schema?.safeParse(input).error?.issues ?? []).map(({ message }) => message),
      ),
    );

    expect([...said].filter((message) => FOREIGN.test(message))).toEqual([]);
    expect([...said].filter((message) => !/^[A-Z].*\.$/s.test(message))).toEqual([]);
    expect([...said].length > 0 || schema === null).toBe(true);
  },
);

it.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "This is required."],
  [z.string(), 5, "Must be a text."],
  [z.int(), 1.5, "Must be an integer."],
  [z.number(), Number.NaN, "Must be a finite number."],
  [z.string().min(2), "x", "Must have at least 2 characters."],
  [z.string().max(1), "xx", "Must have at most 1 character."],
  [z.array(z.string()).min(1), [], "Must have at least 1 element."],
  [z.int().max(100), 101, "Must be at most 100."],
  [z.number().gt(0), 0, "Must be above 0."],
  [z.enum(["Day", "Week", "Month"]), "Hour", "Must be Day, Week or Month."],
])("names what is allowed: %#", (schema, input, message) => {
  expect(schema.safeParse(input).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
