import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mapZodError } from "./zod-problems.ts";

describe("what zod found", () => {
  it("goes under the dotted path of the field", () => {
    const schema = z.object({
      initialPrices: z.array(z.object({ amount: z.int() })),
      name: z.string().min(2),
    });

    const problems = mapZodError(errorOf(schema, { initialPrices: [{ amount: "1" }], name: "" }));

    expect(Object.keys(problems.fieldErrors)).toEqual(["initialPrices.0.amount", "name"]);
    expect(problems.formErrors).toEqual([]);
  });

  it("gathers all problems of a field", () => {
    const schema = z.object({
      key: z
        .string()
        .min(5, "short")
        .regex(/^[a-z]/, "start"),
    });

    const problems = mapZodError(errorOf(schema, { key: "1" }));

    expect(problems.fieldErrors).toEqual({ key: ["short", "start"] });
  });

  it("says nothing twice of one value", () => {
    const { fieldErrors } = mapZodError(errorOf(z.object({ amount: z.int().max(5).max(5) }), { amount: 9 }));

    expect(Object.values(fieldErrors).map((sentences) => sentences.length)).toEqual([1]);
  });

  it("is a form error where it is about the whole input", () => {
    const problems = mapZodError(errorOf(z.object({}), "text"));

    expect(problems.formErrors).toHaveLength(1);
    expect(problems.fieldErrors).toEqual({});
  });

  it("keeps a field called __proto__ an ordinary one", () => {
    const error = new z.ZodError([{ code: "custom", path: ["__proto__"], message: "bad", input: 1 }]);

    const { fieldErrors } = mapZodError(error);

    expect(Object.entries(fieldErrors)).toEqual([["__proto__", ["bad"]]]);
  });

  it("stops at a hundred problems", () => {
    const problems = mapZodError(errorOf(z.array(z.int()), Array<string>(5_000).fill("x")));

    expect(Object.keys(problems.fieldErrors)).toHaveLength(100);
  });
});

function errorOf(schema: z.ZodType, input: unknown): z.ZodError {
  const { error } = schema.safeParse(input);
  if (error === undefined) throw new Error("the input was meant to be wrong");
  return error;
}
