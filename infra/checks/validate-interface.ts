import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processEnvironment } from "#libs/config/environment.ts";
import { describeInterface } from "../../services/management/reference/openapi.ts";

// Holds the interface description against the strictest of Redocly's rule sets and against Spectral's rules for OpenAPI; a
// warning fails as an error does. `INTERFACE_LINTERS` is the folder into which .ci/run installs both: nothing else needs them.

const environment = processEnvironment();
const { INTERFACE_LINTERS } = environment;
if (INTERFACE_LINTERS === undefined)
  throw new Error(
    "Set INTERFACE_LINTERS to a folder with @redocly/cli and @stoplight/spectral-cli: see .ci/run.",
  );
const programs = join(INTERFACE_LINTERS, "node_modules/.bin");
const folder = mkdtempSync(join(tmpdir(), "placard-interface-"));
const file = join(folder, "openapi.json");
const rules = join(folder, "redocly.yaml");
// Its own reading of unknown keys refuses those that stand beside a condition (`allOf` with `if`).
const examples = { severity: "error", allowAdditionalProperties: true };
// One path only redirects.
const redirects = "off";
writeFileSync(
  rules,
  JSON.stringify({
    extends: ["recommended-strict"],
    rules: { "no-invalid-media-type-examples": examples, "operation-2xx-response": redirects },
  }),
);
writeFileSync(file, JSON.stringify(await describeInterface("https://placard.example/v1"), null, 2));
const passesRedocly = passes("redocly", "lint", `--config=${rules}`, file);
writeFileSync(rules, JSON.stringify({ extends: ["spectral:oas"] }));
const passesSpectral = passes("spectral", "lint", `--ruleset=${rules}`, "--fail-severity=hint", file);
rmSync(folder, { recursive: true });
process.exitCode = passesRedocly && passesSpectral ? 0 : 1;

function passes(program: string, ...options: readonly string[]): boolean {
  const { status } = spawnSync(join(programs, program), options, {
    stdio: "inherit",
    env: { ...environment, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  return status === 0;
}
