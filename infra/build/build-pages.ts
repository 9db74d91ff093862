// npm run build: what browsers load. Each page's sources have a vite.config.ts next to them and build into its dist/.
// With the folder of one of them behind `--`, that one alone.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compressFiles } from "./compress-files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = ["services/dashboard", "libs/embed", "services/management/selling"];

/** An installation for production alone has no tools to build with; the image is given what was built before. */
const isPossible = existsSync(join(ROOT, "node_modules/vite"));

if (!isPossible && process.argv.includes("--if-possible")) {
  console.error("The pages were not built: Vite is not installed.");
} else {
  const { createBuilder } = await import("vite");
  const asked = BUILT.filter((folder) => process.argv.includes(folder));
  for (const folder of asked.length > 0 ? asked : BUILT) {
    const configFile = join(ROOT, folder, "vite.config.ts");
    if (!existsSync(configFile)) continue;
    // As the command line does: one build, or several where the configuration has environments of its own.
    const builder = await createBuilder({ root: join(ROOT, folder), configFile, logLevel: "warn" }, null);
    await builder.buildApp();
    await compressFiles(join(ROOT, folder, "dist"));
  }
}
