const UNRELEASED = "## [Unreleased]\n";

/**
 * The changelog with the unreleased entries under the version and an empty "Unreleased" above them. `date` is YYYY-MM-DD.
 * Throws where nothing is unreleased, or the version is there already.
 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new Error('CHANGELOG.md has no "## [Unreleased]".');
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md already has ${version}.`);
  const entries = changelog.slice(start + UNRELEASED.length).split(/^## \[/m)[0] ?? "";
  if (entries.trim() === "") throw new Error("CHANGELOG.md has nothing unreleased.");
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

/** The text of package.json, or of the lockfile, with the version in the place of the one before. */
export function withVersion(json: string, before: string, version: string): string {
  // The lockfile has the product's version twice at the top; further down the same version may be a dependency's.
  const [top, rest] = [json.slice(0, 400), json.slice(400)];
  return top.replaceAll(`"version": "${before}"`, `"version": "${version}"`) + rest;
}
