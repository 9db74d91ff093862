import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkExpressions } from "./check-expressions.ts";
import { findExpressions } from "./find-expressions.ts";

const root = resolve(import.meta.dirname, "../..");
const PATIENCE_MS = 300_000;
/** What the product and its tools run, as against what reads their output in a test. */
const IS_TEST = /\.test\.tsx?$|\/tests\//;

describe("regular expressions of the repository", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file !== "" && file !== "infra/expressions/expressions.test.ts");
  const expressions = files.flatMap((file) => findExpressions(file, readFileSync(join(root, file), "utf8")));
  const [product = [], tests = []] = [false, true].map((isTest) =>
    expressions.filter(({ file }) => IS_TEST.test(file) === isTest),
  );

  it(
    "take time that grows with the length of a text and no faster",
    async () => {
      const problems = await checkExpressions(product, "linear");

      expect(product.length).toBeGreaterThan(100);
      expect(problems).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "take no exponential time in tests either",
    async () => {
      const problems = await checkExpressions(tests, "not exponential");

      expect(tests.length).toBeGreaterThan(100);
      expect(problems).toEqual([]);
    },
    PATIENCE_MS,
  );
});

it.each([
  ["a literal", String.raw`const isText = /^(?:[^\p{Cc}\p{Cs}]|\s)*$/u;`],
  ["a literal that takes quadratic time", String.raw`text.replace(/\d+\.?\d*x/g, "");`],
  ["a literal in JSX", "export const Box = () => <input value={/(a+)+$/.source} />;"],
  ["a text given to RegExp", `new RegExp("^(a+)+$", "u");`],
  ["a template with constants", "const A = '(a+)';\nexport const B = String.raw`^\u0024{A}+$`; RegExp(B);"],
  ["texts put together", `const A = /(a|aa)/; const C = new RegExp("^" + A.source + "+$");`],
  ["a text given to match", `"x".match("^(a+)+$");`],
])("finds a vulnerable expression in %s, with file and line", async (_where, source) => {
  const expressions = findExpressions("services/new.tsx", `\n${source}`);

  const problems = await checkExpressions(expressions, "linear");

  expect(problems).toContainEqual(
    expect.stringMatching(/^services\/new\.tsx:[23] \/.+ takes .+ time, as for /),
  );
});

it("refuses an expression that is built at run time, as nobody can check it", async () => {
  const expressions = findExpressions(
    "a.ts",
    "export const find = (name: string) => new RegExp(`^\u0024{name}`);",
  );

  const problems = await checkExpressions(expressions, "linear");

  expect(problems).toEqual(["a.ts:1 is built at run time, so nobody can check it"]);
});
