import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// `npm install` leaves platform packages that it could not look up out of the lockfile, and `npm ci` then refuses the
// whole file. An entry with the platform of the package fixes that. Such an entry gets the hash that `npm ci` verifies as
// soon as the registry serves the package. Without its C library each build of a program would be installed twice. Run after
// every `npm install`; with --check it changes nothing, asks nobody, and fails when there is something to add.

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const FILE = new URL("../../package-lock.json", import.meta.url);
/** The end of a platform package's name: operating system, processor, and maybe a C library. */
const PLATFORM =
  /[-/](android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z\d]+)(?:-\w+)?$/;

const isCheck = process.argv.includes("--check");
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(FILE, "utf8"));
const added: string[] = [];

for (const entry of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (path in lock.packages || !isExact(range)) continue;
    const [, os, cpu] = PLATFORM.exec(name) ?? [];
    if (os === undefined || cpu === undefined)
      throw new Error(`The name of ${name} has no platform that is known.`);
    lock.packages[path] = { version: range, os: [os], cpu: [cpu], optional: true };
    added.push(name);
  }
}
for (const [path, entry] of Object.entries(lock.packages)) {
  const libc = entry.os?.includes("linux") === true ? libcOf(path) : null;
  if (libc === null || entry.libc !== undefined) continue;
  entry.libc = [libc];
  added.push(`the C library of ${path.slice("node_modules/".length)}`);
}
if (!isCheck) {
  for (const [path, { version = "", integrity }] of Object.entries(lock.packages)) {
    if (path === "" || integrity !== undefined) continue;
    const name = path.slice("node_modules/".length);
    const dist = distOf(`${name}@${version}`);
    if (dist === null) continue;
    lock.packages[path] = { ...lock.packages[path], ...dist };
    added.push(`the hash of ${name}`);
  }
}

if (added.length === 0) {
  process.stdout.write("The lockfile is complete.\n");
} else if (isCheck) {
  process.stderr.write(`The lockfile lacks ${added.join(", ")}: run npm run lockfile.\n`);
  process.exitCode = 1;
} else {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`Added ${added.join(", ")}.\n`);
}

function isExact(range: string): boolean {
  return /^\d/.test(range);
}

/** The C library that a platform package's name ends with; null for none. */
function libcOf(path: string): "glibc" | "musl" | null {
  const [, library] = /-(gnu|musl)\w*$/.exec(path) ?? [];
  if (library === undefined) return null;
  return library === "gnu" ? "glibc" : "musl";
}

/** Where the registry serves a package, and its hash; null if it does not. */
function distOf(spec: string): { resolved: string; integrity: string } | null {
  try {
    const told = execFileSync("npm", ["view", spec, "dist", "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { tarball, integrity } = JSON.parse(told);
    return typeof tarball === "string" && typeof integrity === "string"
      ? { resolved: tarball, integrity }
      : null;
  } catch {
    return null;
  }
}
