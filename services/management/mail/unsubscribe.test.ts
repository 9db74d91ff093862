import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { createUnsubscribeTokens } from "./unsubscribe.ts";

const OLD = "a-secret-of-more-than-thirty-two-characters";
const NEW = "another-secret-of-more-than-32-characters";
const tokens = createUnsubscribeTokens([OLD]);
const advertiser = newId("advertiser");

it.each(["advertiser", "member"] as const)(
  "names the %s it was signed for, and needs no escaping in a URL",
  (kind) => {
    const id = newId(kind);
    const token = tokens.sign(id);

    expect(tokens.read(token)).toEqual({ kind, id });
    expect(encodeURIComponent(token)).toBe(token);
  },
);

it("reads no other id that it has signed", () => {
  expect(tokens.read(tokens.sign(newId("workspace")))).toBeNull();
});

it("is good for no other advertiser and under no other secret", () => {
  const [, seal = ""] = tokens.sign(advertiser).split(".");

  expect(tokens.read(`${newId("advertiser")}.${seal}`)).toBeNull();
  expect(createUnsubscribeTokens([NEW]).read(tokens.sign(advertiser))).toBeNull();
});

it("is good while its secret is among the older ones, and signed under the first", () => {
  const both = createUnsubscribeTokens([NEW, OLD]);

  expect(both.read(tokens.sign(advertiser))).toEqual({ kind: "advertiser", id: advertiser });
  expect(both.sign(advertiser)).toBe(createUnsubscribeTokens([NEW]).sign(advertiser));
});

it("reads nothing out of anything else", () => {
  const token = tokens.sign(advertiser);
  for (const near of [
    token.slice(0, -1),
    `${token}.`,
    `${token}A`,
    advertiser,
    `${advertiser}.`,
    `.${token}`,
    "",
  ]) {
    expect(tokens.read(near), near).toBeNull();
  }
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => tokens.read(text) === null));
});
