import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildContext, REPOSITORY } from "./build-context.ts";

const DOCS = `${REPOSITORY}infra/docs/`;
/** The page with the table of what each command is in the image. */
const TABLE = "operator.md";
const { scripts } = JSON.parse(readFileSync(`${REPOSITORY}package.json`, "utf8")) as {
  scripts: Record<string, string>;
};
/** The programs of the scripts that an operator runs, by the script's name. */
const COMMANDS = new Map(
  Object.entries(scripts)
    .filter(([name]) => /^operate\b/.test(name))
    .map(([name, line]) => [name, line.replace(/^node /, "")]),
);

it.each([...COMMANDS])("ships %s in the image", (_name, program) => {
  expect(buildContext()).toContain(program);
});

it.each([...COMMANDS])(`says in ${TABLE} how %s is run from the image, which has no npm`, (name, program) => {
  const row = new RegExp(`^\\| \`npm run ${name}(?: --.*)?\` \\| \`node ${program}(?: …)?\` \\|$`, "m");

  expect(readFileSync(`${DOCS}${TABLE}`, "utf8")).toMatch(row);
});

describe.each(readdirSync(DOCS).filter((file) => file.endsWith(".md") && file !== TABLE))("%s", (file) => {
  const page = readFileSync(`${DOCS}${file}`, "utf8");
  const named = [...new Set([...page.matchAll(/npm run (operate[\w:]*)/g)].map(([, name = ""]) => name))];

  it("says how its commands are run from the image, or links to the table", () => {
    const isLinked = page.includes(`${TABLE}#from-the-image`);

    expect(isLinked ? [] : named.filter((name) => !page.includes(`node ${COMMANDS.get(name)}`))).toEqual([]);
  });
});
