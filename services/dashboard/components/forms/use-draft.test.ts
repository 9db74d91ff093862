import { ORPCError } from "@orpc/client";
import { expect, it } from "vitest";
import { refusalOf, withoutKeys } from "./use-draft.ts";

const KEYS = ["name", "initialPrices"];

function aConflict(formErrors: string[], fieldErrors: Record<string, string[]>) {
  return new ORPCError("CONFLICT_FIELD", { status: 409, data: { formErrors, fieldErrors } });
}

it("shows errors of the server at the inputs that it names", () => {
  const error = aConflict([], {
    name: ["Is taken.", "Is too short."],
    "initialPrices.1": ["Is there twice."],
  });

  expect(refusalOf(error, KEYS)).toEqual({
    errors: { name: "Is taken. Is too short.", "initialPrices.1": "Is there twice." },
    problem: null,
  });
});

it("shows an error without an input for the whole form", () => {
  expect(refusalOf(aConflict([], { order: ["Must not be negative."] }), KEYS).problem).toBe(
    "Must not be negative.",
  );
  expect(refusalOf(aConflict(["There are too many tiers."], {}), KEYS)).toEqual({
    errors: {},
    problem: "There are too many tiers.",
  });
});

it("shows a lost connection for the whole form", () => {
  expect(refusalOf(new TypeError("Failed to fetch"), KEYS)).toEqual({
    errors: {},
    problem: expect.stringContaining("can’t reach the server"),
  });
});

it("clears the errors of a part that is changed, and no others", () => {
  const errors = {
    name: "Is taken.",
    "initialPrices.0.amount": "Is missing.",
    "initialPrices.1": "Is there twice.",
  };

  expect(withoutKeys(errors, ["initialPrices"])).toEqual({ name: "Is taken." });
  expect(withoutKeys(errors, ["weight"])).toBe(errors);
});
