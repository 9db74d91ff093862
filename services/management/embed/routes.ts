import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";
import { demoPage } from "./demo-page.ts";
import { serveEmbed } from "./files.ts";
import { findDemoWorkspace } from "./queries.ts";

interface DemoRoute {
  readonly Querystring: { readonly workspace?: string | string[] };
}

/** The slug of the workspace that an installation may have been seeded with. */
const DEMO = "demo";

/** `/embed.js` and the modules, and the example of their use at `/demo`, with the ads of `?workspace=`. */
export async function embedRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await serveEmbed(app, services.logger);

  const site = { origin: services.publicUrl.origin, imageOrigins: services.uploads.origins };
  // Below it are the pages of the example's own site.
  for (const path of ["/demo", "/demo/:page"]) {
    app.get<DemoRoute>(path, async ({ query: { workspace } }, reply) => {
      const asked = [workspace].flat()[0]?.trim() ?? "";
      const found = await findDemoWorkspace(services.db, asked === "" ? DEMO : asked);
      return reply
        .code(found === undefined && asked !== "" ? 404 : 200)
        .headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" })
        .send(demoPage(site, found, asked));
    });
  }
}
