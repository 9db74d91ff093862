import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { isSlug } from "#libs/domain/slug.ts";
import { openToBrowsers } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { limitAddress } from "../../api/address-limit.ts";
import { demoPage } from "./demo-page.ts";

interface EmbedPorts {
  readonly limits: Pick<Limits, "consume">;
  readonly db: Kysely<Tables>;
  readonly uploads: Pick<Uploads, "origins">;
  readonly logger: Pick<FastifyBaseLogger, "warn">;
  readonly publicUrl: URL;
}

interface DemoRoute {
  readonly Querystring: { readonly workspace?: string | string[] };
}

const DEMO_RATE: RateRule = { name: "demo", points: 120, durationSeconds: 60 };

/** The slug of the seeded demo workspace. */
const DEMO = "demo";

/** `/embed.js`, the modules, and `/demo`, an example of their use with the ads of `?workspace=`. */
export async function embedRoutes(app: FastifyInstance, ports: EmbedPorts): Promise<void> {
  await serveEmbed(app, ports.logger);

  const site = { origin: ports.publicUrl.origin, imageOrigins: ports.uploads.origins };
  // The example is a site with pages of its own below `/demo`.
  for (const path of ["/demo", "/demo/:page"]) {
    app.get<DemoRoute>(
      path,
      { onRequest: limitAddress(ports, DEMO_RATE) },
      async ({ query: { workspace } }, reply) => {
        const requested = [workspace].flat()[0]?.trim() ?? "";
        const found = await findDemoWorkspace(ports.db, requested === "" ? DEMO : requested);
        return reply
          .code(found === undefined && requested !== "" ? 404 : 200)
          .headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" })
          .send(demoPage(site, found, requested));
      },
    );
  }
}

/** Built from `libs/embed` by `npm run build`. */
const BUILT = fileURLToPath(new URL("../../../../libs/embed/dist", import.meta.url));
/** A new version is everywhere after ten minutes; for another day pages may use the old one while they revalidate. */
const CACHE_CONTROL = "public, max-age=600, stale-while-revalidate=86400";

/** Serves `/embed.js` and the other built files to any site. */
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
      // One route per existing file.
      wildcard: false,
      index: false,
      globIgnore: ["**/*.br", "**/*.gz"],
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header("cache-control", CACHE_CONTROL).header("cross-origin-resource-policy", "cross-origin");
        // The extension would make it a video.
        if (path.endsWith(".d.mts")) reply.header("content-type", "text/plain; charset=utf-8");
      },
    });
  });
}

/** The workspace whose ads the example shows; undefined if there is none. */
async function findDemoWorkspace(db: Kysely<Tables>, idOrSlug: string) {
  if (!isId("workspace", idOrSlug) && !isSlug(idOrSlug)) return undefined;
  return await db
    .selectFrom("workspaces")
    .where((expression) =>
      expression.or([expression("id", "=", idOrSlug), expression("slug", "=", idOrSlug)]),
    )
    .select(["id", "name"])
    .executeTakeFirst();
}
