// The walls between rooms, as rooms.ts declares them: what breaks them, as sentences.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { wrapItem } from "../scripts/wrap-item.ts";
import { FACES, LONGEST_FILE, MOST_LEVELS, PRIVATE, ROOMS, WRITTEN_BY_PROGRAMS } from "./rooms.ts";

/** Source files by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly from: string;
  readonly to: string;
}

const TEST = /\.test\.tsx?$|-suite\.ts$|\/tests\/|\/suite\/|\/test-|\/testing[/-]|\/testing\.ts$/;
const IMPORT = /\b(?:from|import|import\()\s*"(\.{1,2}\/[^"]+|#libs\/[^"]+)"/g;

/** Reads every source file of the repository, tests included. */
export function readSources(root: string): Sources {
  const paths = globSync("{infra,libs,loadtest,services}/**/*.{ts,tsx}", { cwd: root });
  const ours = paths.filter((path) => !/(?:^|\/)(?:dist|node_modules)\//.test(path)).sort();
  return new Map(ours.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Every import between two of the files: of values and of types, static and dynamic. */
function findImports(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)]
      .map(([, name = ""]) => (name.startsWith("#") ? name.slice(1) : join(dirname(from), name)))
      .filter((to) => sources.has(to))
      .map((to) => ({ from, to })),
  );
}

/** Breaches of the walls, rooms and file sizes, one sentence each. */
export function findBreaches(sources: Sources): string[] {
  const imports = findImports(sources);
  return [
    ...imports.flatMap((one) => judgeImport(one, sources)),
    ...findCycles(imports).map((cycle) => `${cycle.join(" -> ")} is an import cycle`),
    ...findUndeclaredRooms(sources),
    ...Object.entries(MOST_LEVELS)
      .filter(([folder, most]) => countLevels(folder, imports) > most)
      .map(([folder, most]) => `${folder} has more than ${most} levels: ${countLevels(folder, imports)}`),
    ...[...sources]
      .filter(([path]) => !TEST.test(path) && !WRITTEN_BY_PROGRAMS.includes(path))
      .filter(([, text]) => text.split("\n").length - 1 > LONGEST_FILE)
      .map(([path]) => `${path} has more than ${LONGEST_FILE} lines`),
  ];
}

function judgeImport({ from, to }: Import, sources: Sources): string[] {
  const said = `${from} imports ${to}`;
  if (TEST.test(from)) {
    // A test may use the tools of tests, wherever they are, and cross the rooms of its own service or lib.
    if (TEST.test(to) || to.startsWith("infra/")) return [];
    return isUpward(from, to, ["", "services", "libs"]) ? [`${said}, which is not below it`] : [];
  }
  if (TEST.test(to) && /^(?:libs|services)\//.test(from)) return [`${said}, which belongs to tests`];
  if (PRIVATE.includes(to) && dirname(from) !== dirname(to)) return [`${said}, which is private`];
  if (isUpward(from, to, Object.keys(ROOMS))) return [`${said}, which is not below it`];
  const [, lib = ""] = /^(libs\/[^/]+)\//.exec(to) ?? [];
  const isInside = from.startsWith(`${lib}/`) || to === `${lib}/index.ts` || FACES.includes(to);
  return !isInside && sources.has(`${lib}/index.ts`) ? [`${said} and not ${lib}/index.ts`] : [];
}

/** Whether one of the folders that hold both files has the room of the second beside or above that of the first. */
function isUpward(from: string, to: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    // The index of a divided lib shows what is in its rooms.
    if (from === `${folder}/index.ts`) return false;
    const [room, target] = [roomOf(from, folder), roomOf(to, folder)];
    if (room === null || target === null || room === target) return false;
    return lineOf(target, ROOMS[folder] ?? []) <= lineOf(room, ROOMS[folder] ?? []);
  });
}

/** The room of a folder that a file is in: a folder's name, a dot for a file directly in it, null for one elsewhere. */
function roomOf(path: string, folder: string): string | null {
  const prefix = folder === "" ? "" : `${folder}/`;
  if (!path.startsWith(prefix)) return null;
  const [name = "", ...rest] = path.slice(prefix.length).split("/");
  return rest.length === 0 ? "." : name;
}

function lineOf(room: string, lines: readonly string[]): number {
  const named = lines.findIndex((line) => line.split(" ").includes(room));
  return named === -1 ? lines.indexOf("*") : named;
}

function findUndeclaredRooms(sources: Sources): string[] {
  return Object.entries(ROOMS).flatMap(([folder, lines]) => {
    const found = [...sources.keys()]
      .filter((path) => !TEST.test(path))
      .map((path) => roomOf(path, folder))
      .filter((room) => room !== null);
    return [...new Set(found)]
      .filter((room) => lineOf(room, lines) === -1)
      .map((room) => `${join(folder, room)} is in no line of rooms.ts`);
  });
}

/** One cycle for each group of files that import each other in a circle. */
function findCycles(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || finished.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    finished.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}

/** The number of rooms in the longest chain of imports in a folder; files directly in it do not count. */
function countLevels(folder: string, imports: readonly Import[]): number {
  const below = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [room, target] = [roomOf(from, folder), roomOf(to, folder)];
    if (room === null || target === null || room === target || TEST.test(from) || TEST.test(to)) continue;
    below.set(room, (below.get(room) ?? new Set()).add(target));
  }
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    // Ends the search in a cycle, which is a breach of its own.
    heights.set(room, 1);
    const height = 1 + Math.max(0, ...[...(below.get(room) ?? [])].map(heightOf));
    heights.set(room, height);
    return height;
  };
  return Math.max(0, ...[...below.keys()].map(heightOf));
}

/** The rooms as a list for ARCHITECTURE.md, one item per folder, from top to bottom. */
export function roomsList(): string {
  const items = Object.entries(ROOMS).map(([folder, lines]) => {
    const names = lines
      .filter((line) => line !== ".")
      .map((line) => (line === "*" ? "every other room" : line.split(" ").map(code).join(", ")));
    return wrapItem(`- ${folder === "" ? "the repository" : code(folder)}: ${names.join(" → ")}`);
  });
  return `${items.join("\n")}\n`;
}

function code(name: string): string {
  return `\`${name}\``;
}
