import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** One of the pages; all are built together. */
const DOCUMENT = "services/dashboard/dist/index.html";
const BUILD = "infra/build/build-pages.ts";
const BUILT_WITHIN_MS = 120_000;

/**
 * Builds the pages once, if `npm ci` ran without scripts. Everything else works without them, so it always resolves and logs
 * failures.
 */
export async function buildPagesOnce(logger: Logger, shutdown: Shutdown, root = ROOT): Promise<void> {
  if (existsSync(join(root, DOCUMENT))) return;
  if (!existsSync(join(root, "node_modules/vite"))) {
    logger.warn("the pages are not built, and there is no Vite to build them with: see `npm run build`");
    return;
  }
  await new Promise<void>((resolve) => {
    const options = { cwd: root, timeout: BUILT_WITHIN_MS };
    const child = execFile(process.execPath, [BUILD], options, (error, _stdout, stderr) => {
      // A shutdown ends the build as well.
      if (error !== null && !shutdown.started) {
        logger.warn({ err: error, output: stderr.slice(-2_000) }, "the pages could not be built");
      }
      resolve();
    });
    shutdown.onRelease("the build of the pages", () => child.kill());
  });
}
