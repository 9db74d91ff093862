import fc from "fast-check";
import { expect, it } from "vitest";
import { withParameters } from "./parameters.ts";

const given = (parameters: Record<string, string>) =>
  new URLSearchParams(Object.entries(parameters).map(([name, text]) => [`param_${name}`, text]));

it.each([
  ["{a:String}", { a: "it\\'s" }, "'it\\'s'"],
  ["{ a : UInt32 }", { a: "7" }, "_CAST('7', 'UInt32')"],
  ["{a:Array(String)}", { a: "['b','c\\'d']" }, "_CAST(['b', 'c\\'d'], 'Array(String)')"],
  ["{a:Array(String)}", { a: "[]" }, "_CAST([], 'Array(String)')"],
  ["{a:Nullable(String)}", { a: "\\N" }, "_CAST(NULL, 'Nullable(String)')"],
  ["{a:Identifier}", { a: "b`c" }, "`b\\`c`"],
  [
    "'{a:String}' AS \"{a:String}\", `{a:String}`",
    { a: "b" },
    "'{a:String}' AS \"{a:String}\", `{a:String}`",
  ],
  ["'\\'{a:String}', {a:String}", { a: "b" }, "'\\'{a:String}', 'b'"],
  ["-- don't\n{a:String}", { a: "b" }, "-- don't\n'b'"],
  ["{a:String}{b:String}", { a: "{b:String}", b: "$&" }, "'{b:String}''$&'"],
  ["{a:String}", {}, "{a:String}"],
  ["{a:String}", { b: "c" }, "{a:String}"],
])("writes the parameters of %j", (sql, parameters, written) => {
  expect(withParameters(sql, given(parameters))).toBe(written);
});

it("keeps each text within its quotes", () => {
  const escaped = (text: string) =>
    text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", "\\", "\n", "\0", "`", "{", "}", ";", "-", "a", "é") }),
      (text) => {
        const written = withParameters("{a:String}", given({ a: escaped(text) }));

        expect(written).toMatch(/^'(?:[^'\\\0\n]|\\.)*'$/);
      },
    ),
  );
});

it("refuses names and lists that are none", () => {
  const listed = given({ a: "['b'" });
  expect(() => withParameters("{a:Array(String)}", listed)).toThrow("parameter");
  expect(() => withParameters("{a:String}", given({ "a}": "b" }))).toThrow("parameter");
});
