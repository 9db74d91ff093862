import { expect, it } from "vitest";
import { checkRefund, EMPTY_REFUND } from "./refund-draft.ts";

const part = (amount: string) => ({ ...EMPTY_REFUND, extent: "part", amount }) as const;

it("refunds everything that is left unless a part is chosen", () => {
  expect(checkRefund(EMPTY_REFUND, 4900, "usd")).toEqual({ input: { amount: 4900 } });
  expect(checkRefund({ ...EMPTY_REFUND, amount: "nonsense" }, 4900, "usd")).toEqual({
    input: { amount: 4900 },
  });
});

it.each([
  ["12.50", "eur", 1250],
  ["12,50", "eur", 1250],
  ["1.234,50", "eur", 123_450],
  ["1,234.50", "usd", 123_450],
  ["900", "jpy", 900],
])("reads %s %s as %i", (text, currency, amount) => {
  expect(checkRefund(part(text), 200_000, currency)).toEqual({ input: { amount } });
});

it.each([
  ["", "Enter the amount to refund."],
  ["0,00", "Must be more than 0."],
  ["49.01", "At most $49.00 is left to refund."],
  ["1.234", "USD has at most 2 decimals."],
  ["much", "Enter an amount, such as 49."],
])("says at the amount why %j is refused", (text, amount) => {
  expect(checkRefund(part(text), 4900, "usd")).toEqual({ errors: { amount } });
});

it("refuses an amount that the payment processor cannot refund", () => {
  expect(checkRefund(part("1.234"), 10_000, "kwd")).toEqual({
    errors: { amount: expect.stringMatching(/^Only multiples of KWD\s0\.010 can be refunded\.$/) },
  });
  expect(checkRefund(part("1.230"), 10_000, "kwd")).toEqual({ input: { amount: 1230 } });
});

it("sends a reason and a note only where they are given", () => {
  const said = { reason: "duplicate", note: "  Charged twice.  " };

  expect(checkRefund({ ...EMPTY_REFUND, ...said }, 100, "usd")).toEqual({
    input: { amount: 100, reason: "duplicate", note: "Charged twice." },
  });
  expect(checkRefund({ ...EMPTY_REFUND, note: "x".repeat(251) }, 100, "usd")).toEqual({
    errors: { note: "Must have at most 250 characters." },
  });
});
