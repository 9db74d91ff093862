import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import { expect, it } from "vitest";

const MANAGEMENT = join(import.meta.dirname, "../..");
const WRITES = new Set(["updateTable", "insertInto", "deleteFrom"]);

/** The rows of the table of `writers.md`, by each file that a row names. */
const rows = readFileSync(join(import.meta.dirname, "writers.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => {
    const [, writer = "", columns = ""] = line.split("|");
    return [...writer.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = ""]) => ({ file, columns }));
  });

/** The columns that a file writes by name; null for a file that does not write the table. */
function columnsWrittenIn(file: string): ReadonlySet<string> | null {
  const writes = new Set<number>();
  const columns = new Set<string>();
  const { program } = parseSync(file, readFileSync(join(MANAGEMENT, file), "utf8"));
  new Visitor({
    "CallExpression:exit"({ callee, arguments: [given], end }) {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const { name } = callee.property;
      if (WRITES.has(name) && given?.type === "Literal" && given.value === "subscriptions") writes.add(end);
      if (name !== "set" || given?.type !== "ObjectExpression" || !writes.has(callee.object.end)) return;
      for (const property of given.properties)
        if (property.type === "Property" && property.key.type === "Identifier")
          columns.add(property.key.name);
    },
  }).visit(program);
  return writes.size === 0 ? null : columns;
}

it("names every file that writes subscriptions, with the columns that it sets", () => {
  const files = globSync("**/*.ts", { cwd: MANAGEMENT }).filter(
    (file) => !/\.test\.ts$|(^|\/)tests\//.test(file),
  );

  const missing = files.flatMap((file) => {
    const columns = columnsWrittenIn(file);
    if (columns === null) return [];
    const row = rows.find((one) => `/${file}`.endsWith(`/${one.file}`));
    if (row === undefined) return [`${file} writes subscriptions`];
    return [...columns]
      .filter((one) => !row.columns.includes(`\`${one}\``))
      .map((one) => `${file} sets ${one}`);
  });

  expect(missing).toEqual([]);
});

it("names no file that is not there", () => {
  const files = globSync("**/*.ts", { cwd: MANAGEMENT });

  expect(rows.filter(({ file }) => !files.some((one) => `/${one}`.endsWith(`/${file}`)))).toEqual([]);
});
