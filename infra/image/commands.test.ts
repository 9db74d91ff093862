import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildContext, REPOSITORY } from "./build-context.ts";

const DOCS = `${REPOSITORY}infra/docs/`;
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

describe.each(readdirSync(DOCS).filter((file) => file.endsWith(".md")))("%s", (file) => {
  const page = readFileSync(`${DOCS}${file}`, "utf8");
  const named = [...new Set([...page.matchAll(/npm run (operate[\w:]*)/g)].map(([, name = ""]) => name))];

  it("says how its commands are run from the image, which has no npm", () => {
    expect(named.filter((name) => !page.includes(`node ${COMMANDS.get(name)}`))).toEqual([]);
  });
});
