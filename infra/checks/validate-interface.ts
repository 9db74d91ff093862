import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processEnvironment } from "#libs/config/environment.ts";
import { describeInterface } from "../../services/management/reference/openapi.ts";

// Holds the interface description against the strictest of Redocly's rule sets; a warning fails as an error does.

const folder = mkdtempSync(join(tmpdir(), "placard-interface-"));
const file = join(folder, "openapi.json");
writeFileSync(file, JSON.stringify(await describeInterface("https://placard.example/v1"), null, 2));
const { status } = spawnSync("redocly", ["lint", "--extends=recommended-strict", file], {
  stdio: "inherit",
  env: { ...processEnvironment(), REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
});
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
