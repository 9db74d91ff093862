import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FACES, PRIVATE, ROOMS } from "./rooms.ts";
import { findBreaches, readSources, roomsList, type Sources } from "./walls.ts";

const sources = readSources(resolve(import.meta.dirname, "../.."));

it("finds the walls of the repository whole", () => {
  expect(findBreaches(sources)).toEqual([]);
});

it("declares no room and no file that is not there", () => {
  const rooms = Object.entries(ROOMS).flatMap(([folder, lines]) =>
    lines.flatMap((line) => line.split(" ")).map((room) => join(folder, room === "*" ? "." : room)),
  );
  const paths = [...sources.keys()];
  const isThere = (room: string) => room === "." || paths.some((path) => path.startsWith(`${room}/`));

  expect(rooms.filter((room) => !isThere(room))).toEqual([]);
  expect([...FACES, ...PRIVATE].filter((file) => !sources.has(file))).toEqual([]);
});

it("shows the declared rooms in ARCHITECTURE.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../ARCHITECTURE.md"), "utf8");

  expect(page).toContain(`\n\n${roomsList()}\n`);
});

describe("a breach", () => {
  it.each([
    [
      "a lib that imports a service",
      "which is not below it",
      { "libs/http/a.ts": 'import { b } from "../../services/serving/main.ts";' },
    ],
    [
      "a service that imports another",
      "which is not below it",
      { "services/serving/a.ts": 'import "../management/main.ts";' },
    ],
    [
      "a lib that imports one above it",
      "which is not below it",
      { "libs/domain/a.ts": 'import { z } from "#libs/http/index.ts";' },
    ],
    [
      "an import of a type",
      "which is not below it",
      { "libs/domain/a.ts": 'import type { Z } from "#libs/http/index.ts";' },
    ],
    [
      "the type of an import",
      "which is not below it",
      { "libs/domain/a.ts": 'export type Z = import("#libs/http/index.ts").Z;' },
    ],
    [
      "a dynamic import",
      "which is not below it",
      { "libs/domain/a.ts": 'const z = await import("#libs/http/index.ts");' },
    ],
    [
      "a type handed on",
      "which is not below it",
      { "libs/domain/a.ts": 'export type {\n  Z,\n} from "#libs/http/index.ts";' },
    ],
    [
      "a room that imports one above it",
      "which is not below it",
      { "services/serving/rotation/a.ts": 'import "../start/serving.ts";' },
    ],
    [
      "a room that imports one beside it",
      "which is not below it",
      { "services/serving/rotation/a.ts": 'import "../record/b.ts";' },
    ],
    [
      "a lib imported past its index",
      "and not libs/http/index.ts",
      { "services/serving/a.ts": 'import "#libs/http/inner.ts";' },
    ],
    [
      "a private file, imported from above",
      "which is private",
      { "services/management/operator/a.ts": 'import "../start/services.ts";' },
    ],
    [
      "a test's tool in the product",
      "which belongs to tests",
      { "libs/http/a.ts": 'import "./tests/rig.ts";' },
    ],
    [
      "a test in a lib that imports a service",
      "which is not below it",
      { "libs/http/a.test.ts": 'import "../../services/serving/main.ts";' },
    ],
    ["a room that nobody named", "is in no line of rooms.ts", { "services/serving/attic/a.ts": "" }],
    ["a file that is too long", "has more than 300 lines", { "libs/http/a.ts": "\n".repeat(301) }],
  ])("is %s", (_what, reason, file) => {
    expect(findBreaches(withFiles(file))).toEqual([expect.stringMatching(`${reason}$`)]);
  });

  it.each([
    ["of values", "import { a }"],
    ["of types", "import type { A }"],
  ])("is a cycle of imports %s", (_what, words) => {
    const cycle = {
      "libs/http/a.ts": `${words} from "./b.ts";`,
      "libs/http/b.ts": `${words} from "./c.ts";`,
      "libs/http/c.ts": `${words} from "./a.ts";`,
    };

    expect(findBreaches(withFiles(cycle))).toEqual([
      "libs/http/a.ts -> libs/http/b.ts -> libs/http/c.ts -> libs/http/a.ts is an import cycle",
    ]);
  });

  it("is more levels of rooms than a folder may have", () => {
    const rooms = "start worker pages selling ads billing media catalogue accounts mail audit".split(" ");
    const chain = rooms.map((room, i) => [
      `services/management/${room}/a.ts`,
      rooms[i + 1] === undefined ? "" : `import "../${rooms[i + 1]}/a.ts";`,
    ]);

    expect(findBreaches(withFiles(Object.fromEntries(chain)))).toEqual([
      "services/management has more than 10 levels: 11",
    ]);
  });
});

it("lets a file import its own room, what is below it and a lib by its index, and a test what tests need", () => {
  const files = {
    "services/serving/start/a.ts":
      'import "./serving.ts";\nimport "../rotation/r.ts";\nimport "#libs/http/index.ts";',
    "services/serving/rotation/r.ts": "",
    "services/serving/rotation/r.test.ts": 'import "#libs/http/tests/rig.ts";\nimport "../start/serving.ts";',
  };

  expect(findBreaches(withFiles(files))).toEqual([]);
});

/** A small repository without a breach, and these files. */
function withFiles(files: Readonly<Record<string, string>>): Sources {
  return new Map(
    Object.entries({
      "libs/http/index.ts": "",
      "libs/http/inner.ts": "",
      "libs/http/tests/rig.ts": "",
      "services/management/main.ts": "",
      "services/management/start/services.ts": "",
      "services/serving/main.ts": "",
      "services/serving/start/serving.ts": "",
      "services/serving/record/b.ts": "",
      ...files,
    }),
  );
}
