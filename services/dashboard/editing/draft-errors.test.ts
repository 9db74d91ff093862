import { ORPCError } from "@orpc/client";
import { expect, it } from "vitest";
import { refusalOf, withoutKeys } from "./draft-errors.ts";

const KEYS = ["name", "initialPrices"];

function aConflict(formErrors: string[], fieldErrors: Record<string, string[]>) {
  return new ORPCError("CONFLICT_FIELD", { status: 409, data: { formErrors, fieldErrors } });
}

it("leaves what the server said to the inputs that it names", () => {
  const error = aConflict([], {
    name: ["Is taken.", "Is too short."],
    "initialPrices.1": ["Is there twice."],
  });

  expect(refusalOf(error, KEYS)).toEqual({
    errors: { name: "Is taken. Is too short.", "initialPrices.1": "Is there twice." },
    problem: null,
  });
});

it("says for the whole what no input of the form is about", () => {
  expect(refusalOf(aConflict([], { order: ["Must not be negative."] }), KEYS).problem).toBe(
    "Must not be negative.",
  );
  expect(refusalOf(aConflict(["There are too many tiers."], {}), KEYS)).toEqual({
    errors: {},
    problem: "There are too many tiers.",
  });
});

it("says for the whole that there was no answer", () => {
  expect(refusalOf(new TypeError("Failed to fetch"), KEYS)).toEqual({
    errors: {},
    problem: expect.stringContaining("cannot be reached"),
  });
});

it("forgets what was said about a part that is changed, and no more", () => {
  const errors = {
    name: "Is taken.",
    "initialPrices.0.amount": "Is missing.",
    "initialPrices.1": "Is there twice.",
  };

  expect(withoutKeys(errors, ["initialPrices"])).toEqual({ name: "Is taken." });
  expect(withoutKeys(errors, ["weight"])).toBe(errors);
});
