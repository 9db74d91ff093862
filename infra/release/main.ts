// npm run release -- 0.2.0 [--dry-run]: the changelog's entry, the version, the image, a commit and a tag.
// Pushing and publishing are left to a person; the last lines say how.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { billOfMaterials } from "./bill-of-materials.ts";
import { releaseChangelog, withVersion } from "./changelog.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false } },
  allowPositionals: true,
});
const isDryRun = values["dry-run"];
const [version = ""] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("Use: npm run release -- 0.2.0 [--dry-run]");

const status = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" });
if (status !== "" && !isDryRun) throw new Error("Commit or stash your changes first.");

const BILL = `releases/placard-${version}.cdx.json`;
const { version: before } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
const today = new Date().toISOString().slice(0, 10);
write("CHANGELOG.md", releaseChangelog(read("CHANGELOG.md"), version, today));
for (const file of ["package.json", "package-lock.json"]) {
  write(file, withVersion(read(file), before, version));
}
// Before the commit: after a failed build `git restore .` is enough to try again.
run(
  ...["docker", "build", "--file", "infra/Dockerfile", "--tag", `placard:${version}`],
  ...["--build-arg", `VERSION=${version}`, "."],
);
if (!isDryRun) mkdirSync(new URL("../../releases/", import.meta.url), { recursive: true });
write(
  BILL,
  `${JSON.stringify(billOfMaterials(JSON.parse(read("package-lock.json")), new Date()), null, 2)}\n`,
);
run("git", "commit", "--all", "--message", `release: ${version}`);
run("git", "tag", "--annotate", `v${version}`, "--message", `Placard ${version}`);
console.log(
  `Placard ${version} is ready: git push --follow-tags, docker push placard:${version}, and attach ${BILL} to the release.`,
);

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
}

function write(file: string, text: string): void {
  console.log(`write ${file}`);
  if (!isDryRun) writeFileSync(new URL(`../../${file}`, import.meta.url), text);
}

function run(program = "", ...parameters: string[]): void {
  console.log([program, ...parameters].join(" "));
  if (!isDryRun) execFileSync(program, parameters, { cwd: ROOT, stdio: "inherit" });
}
