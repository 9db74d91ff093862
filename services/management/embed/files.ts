import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { openToBrowsers } from "#libs/http/index.ts";

/** What `npm run build` makes of `libs/embed`. */
const BUILT = fileURLToPath(new URL("../../../libs/embed/dist", import.meta.url));
/** Ten minutes, so that a new version gets everywhere soon; for a day more a page need not wait for it. */
const CACHE_CONTROL = "public, max-age=600, stale-while-revalidate=86400";

/** Adds `/embed.js` and whatever else was built, for any site to load. */
export async function serveEmbed(
  app: FastifyInstance,
  logger: Pick<FastifyBaseLogger, "warn">,
  built = BUILT,
): Promise<void> {
  if (!existsSync(join(built, "embed.js"))) {
    logger.warn("the embed script is not built: npm run build");
    return;
  }
  await app.register(async (scope) => {
    openToBrowsers(scope);
    await scope.register(fastifyStatic, {
      root: built,
      // A route for each file that there is, and no other.
      wildcard: false,
      index: false,
      globIgnore: ["**/*.br", "**/*.gz"],
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header("cache-control", CACHE_CONTROL).header("cross-origin-resource-policy", "cross-origin");
        // By its ending it would be a film.
        if (path.endsWith(".d.mts")) reply.header("content-type", "text/plain; charset=utf-8");
      },
    });
  });
}
