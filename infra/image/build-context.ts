import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** What `docker build` would send: the repository's files that `.dockerignore` lets through, as paths from its root. */
export function buildContext(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: REPOSITORY,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  const rules = readFileSync(`${REPOSITORY}.dockerignore`, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return listed.split("\0").filter((path) => path !== "" && isSent(path, rules));
}

/** The last rule that matches the path, or a folder above it, decides. */
function isSent(path: string, rules: readonly string[]): boolean {
  const parts = path.split("/");
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const last = rules.findLast((rule) =>
    prefixes.some((prefix) => matchesGlob(prefix, rule.replace(/^!/, ""))),
  );
  return last === undefined || last.startsWith("!");
}
