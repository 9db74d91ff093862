import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { releaseChangelog, withVersion } from "./changelog.ts";

const CHANGELOG =
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Rooms.\n\n## [0.1.0] - 2026-11-01\n\n- First.\n";

it("puts the unreleased entries under the version and its date", () => {
  expect(releaseChangelog(CHANGELOG, "0.2.0", "2026-11-22")).toBe(
    "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-22\n\n### Added\n\n- Rooms.\n\n## [0.1.0] - 2026-11-01\n\n- First.\n",
  );
});

it("releases nothing twice, and not without entries", () => {
  const released = releaseChangelog(CHANGELOG, "0.2.0", "2026-11-22");

  expect(() => releaseChangelog(CHANGELOG, "0.1.0", "2026-11-22")).toThrow("already has 0.1.0");
  expect(() => releaseChangelog(released, "0.3.0", "2026-11-22")).toThrow("nothing unreleased");
});

it("finds the version of package.json and of the lockfile", () => {
  const root = new URL("../../", import.meta.url);
  const read = (file: string) => readFileSync(new URL(file, root), "utf8");
  const before = /"version": "([^"]+)"/.exec(read("package.json"))?.[1] ?? "";

  for (const file of ["package.json", "package-lock.json"]) {
    const after: unknown = JSON.parse(withVersion(read(file), before, "99.0.0"));
    expect(after).toMatchObject({ version: "99.0.0" });
  }
  expect(JSON.parse(withVersion(read("package-lock.json"), before, "99.0.0"))).toMatchObject({
    packages: { "": { version: "99.0.0" } },
  });
});

it("reads the changelog of this repository", () => {
  const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");

  expect(changelog).toContain("## [Unreleased]\n");
});
