import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { type FormValue, parameterName, parseForm } from "./form-encoding.ts";

it("reads nested objects, lists with and without indexes, and plus signs", () => {
  const form = parseForm("a=1&b[c][d]=x+y&list[0][p]=1&list[1][p]=2&expand[]=q&expand[]=r%2Bs&empty=");

  expect(form).toEqual({
    a: "1",
    b: { c: { d: "x y" } },
    list: [{ p: "1" }, { p: "2" }],
    expand: ["q", "r+s"],
    empty: "",
  });
});

it("gives back what was encoded, whatever the names and texts", () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/);
  const text = fc
    .string({ unit: "binary", maxLength: 20 })
    .filter((s) => s.isWellFormed() && !s.includes("\0"));
  const { value } = fc.letrec<{ value: FormValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
      fc.dictionary(name, tie("value"), { minKeys: 1, maxKeys: 3 }),
    ),
  }));

  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (object) => {
      const pairs = leaves(object).map(
        ([path, leaf]) => `${encodeURIComponent(parameterName(path))}=${encodeURIComponent(leaf)}`,
      );

      expect(parseForm(pairs.join("&"))).toEqual(object);
    }),
  );
});

it("answers anything else with a refusal, never with a crash or a changed prototype", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab=&[\]%_0protc]{0,40}$/), (text) => {
      try {
        parseForm(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }),
  );
  expect(() => parseForm("__proto__[polluted]=1")).toThrow(ApiError);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

it("bounds how much and how deep it reads", () => {
  expect(() => parseForm(Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join("&"))).toThrow(ApiError);
  expect(() => parseForm(`a${"[b]".repeat(9)}=1`)).toThrow(ApiError);
});

function leaves(value: FormValue, path: readonly string[] = []): [readonly string[], string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}
