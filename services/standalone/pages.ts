import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/http/index.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Of all pages the last that a start could do without; the others are built together with it. */
const DOCUMENT = "services/dashboard/dist/index.html";
const BUILD = "infra/build-pages.ts";
const BUILT_WITHIN_MS = 120_000;

/**
 * Builds what browsers load where `npm ci` was told to run no scripts, once. Whatever comes of it, everything but the pages
 * runs without them: it resolves, and what went wrong is in the log.
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
      // A build that is ended by the shutdown is no news.
      if (error !== null && !shutdown.started) {
        logger.warn({ err: error, output: stderr.slice(-2_000) }, "the pages could not be built");
      }
      resolve();
    });
    shutdown.onRelease("the build of the pages", () => child.kill());
  });
}
