import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";

/** No workspace can have this slug or id. */
const FOLDER = "/advertise/-";
/** In the order of the cascade. */
const STYLES = ["base", "page", "offer", "kit", "form", "creative", "stats", "overrides"];
/** For publishers whose site has no icon. */
const ICON = new URL("../icon.svg", import.meta.url);
/** Where browsers look for the icon of pages that name none: the reference, and what is no page. */
const USUAL_ICON = "/favicon.ico";
/** Built from `browser/` by `npm run build`. */
const SCRIPT = new URL("../dist/advertise.js", import.meta.url);

/** The addresses of the pages' files. Each contains a hash of its content, so browsers may cache it forever. */
export interface Assets {
  readonly style: string;
  readonly icon: string;
  /** Null before the first build: without it the pages work, except for uploads. */
  readonly script: string | null;
}

/** Reads the files once and adds their routes. */
export async function serveAssets(app: FastifyInstance, logger: Logger): Promise<Assets> {
  const styles = await Promise.all(
    STYLES.map((name) => readFile(new URL(`../style/${name}.css`, import.meta.url))),
  );
  const style = serve(app, Buffer.concat(styles), { extension: "css", type: "text/css; charset=utf-8" });
  const iconFile = await readFile(ICON);
  const icon = serve(app, iconFile, { extension: "svg", type: "image/svg+xml" });
  app.get(USUAL_ICON, (_request, reply) =>
    reply
      .headers({ "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" })
      .send(iconFile),
  );
  const built = await readFile(SCRIPT).catch(nullWhereMissing);
  if (built === null) logger.warn("the script of the advertising pages is not built: npm run build");
  const script =
    built === null ? null : serve(app, built, { extension: "js", type: "text/javascript; charset=utf-8" });
  return { style, icon, script };
}

function serve(app: FastifyInstance, content: Buffer, kind: { extension: string; type: string }): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const address = `${FOLDER}/${hash}.${kind.extension}`;
  app.get(address, (_request, reply) =>
    reply
      .headers({ "content-type": kind.type, "cache-control": "public, max-age=31536000, immutable" })
      .send(content),
  );
  return address;
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
