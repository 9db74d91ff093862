import { expect, it } from "vitest";
import { demoSignIn } from "./demo-sign-in.ts";

it("is the same at every start of an installation and another one in every other", () => {
  const [first, again, elsewhere] = ["a".repeat(43), "a".repeat(43), "b".repeat(43)].map(demoSignIn);

  expect(again).toEqual(first);
  expect(elsewhere?.password).not.toBe(first?.password);
});

it("can be read out and typed: four groups of four that hold nothing easily mistaken", () => {
  for (const secret of ["a", "b", "c", "d"]) {
    const { password } = demoSignIn(secret.repeat(43));

    expect(password).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
  }
});
