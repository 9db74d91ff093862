import { ORPCError } from "@orpc/client";
import { expect, it } from "vitest";
import { codeOf, fieldErrorsOf, messageOf, statusOf } from "./problems.ts";

function refused(data: unknown, code = "INPUT_VALIDATION_FAILED", status = 422, message = code) {
  return new ORPCError(code, { status, message, data });
}

it("finds the errors of each field", () => {
  const error = refused({ formErrors: [], fieldErrors: { "price.amount": ["Too small.", "Not whole."] } });

  expect(fieldErrorsOf(error)).toEqual({ "price.amount": ["Too small.", "Not whole."] });
  expect(messageOf(error)).toBe("Too small.");
});

it("shows errors of the whole form before those of a field", () => {
  const error = refused({
    formErrors: ["It is paused.", "It is rejected."],
    fieldErrors: { name: ["Long."] },
  });

  expect(messageOf(error)).toBe("It is paused. It is rejected.");
});

it.each([
  ["no lists at all", {}],
  ["lists of something else", { formErrors: [1], fieldErrors: { name: "Long." } }],
  ["an answer of somebody in between", "<h1>Bad gateway</h1>"],
  ["nothing", null],
])("makes do with %s in an error", (_case, data) => {
  const error = refused(data);

  expect(Object.values(fieldErrorsOf(error)).flat()).toEqual([]);
  expect(messageOf(error)).toMatch(/^[A-Z].*\s.*\.$/);
});

it.each([
  ["a refusal", refused(undefined, "FORBIDDEN", 403, "You may not do this."), "You may not do this."],
  [
    "the processor",
    refused(undefined, "PAYMENT_PROCESSOR_FAILED", 502, "The payment processor rejected the request."),
    "The payment processor rejected the request.",
  ],
  ["a fault of ours", refused(undefined, "INTERNAL_SERVER_ERROR", 500, "at foo (bar.ts:1)"), /on our side/],
  ["a code in place of a sentence", refused(undefined, "TEAPOT", 418, "TEAPOT"), /on our side/],
  ["a lost connection", new TypeError("Failed to fetch"), /can’t reach the server/],
  ["a mistake in the page", new Error("x is undefined"), /on our side/],
  ["something that is no error", "x", /on our side/],
])("has a sentence for %s", (_case, error, sentence) => {
  expect(messageOf(error)).toMatch(sentence);
});

it("has a status and a code only for an error response", () => {
  expect([statusOf(refused({})), codeOf(refused({}))]).toEqual([422, "INPUT_VALIDATION_FAILED"]);
  expect([statusOf(new TypeError()), codeOf(new TypeError())]).toEqual([null, null]);
});
