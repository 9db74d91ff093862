import { expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

it("names npm where npm has started the process, and otherwise the program, as the image has no npm", () => {
  const byNpm = { npm_lifecycle_event: "operate" };

  expect([
    commandLine("operate", "list", byNpm),
    commandLine("operate:migrate", "", byNpm),
    commandLine("operate", "list", {}),
    commandLine("operate:migrate", "", {}),
  ]).toEqual([
    "npm run operate -- list",
    "npm run operate:migrate",
    "node services/management/operator/main.ts list",
    "node services/management/start/migrate.ts",
  ]);
});
