import { readFileSync, writeFileSync } from "node:fs";

// `npm install` leaves platform packages that it could not look up out of the lockfile, and `npm ci` then refuses the
// whole file. An entry with the platform of the package fixes that. Run after every `npm install`;
// with --check it changes nothing and fails when there is something to add.

interface LockedPackage {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

const FILE = new URL("../../package-lock.json", import.meta.url);
/** The end of a platform package's name: operating system, processor, and maybe a C library. */
const PLATFORM =
  /[-/](android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z\d]+)(?:-\w+)?$/;

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

if (added.length === 0) {
  process.stdout.write("The lockfile is complete.\n");
} else if (process.argv.includes("--check")) {
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
