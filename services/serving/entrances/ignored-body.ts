import type { FastifyInstance } from "fastify";
import { HttpError } from "#libs/http/index.ts";

/**
 * Reads bodies of any type to their end and discards them as they arrive; over `maxBytes` the answer is 413. The type is
 * ignored, so a malformed one does no harm.
 */
export function ignoreBodies(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.headers["content-type"] !== undefined) delete request.headers["content-type"];
    done();
  });
  app.addContentTypeParser("*", (request, payload, done) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
      done(new HttpError("PAYLOAD_TOO_LARGE"));
      return;
    }
    let bytes = 0;
    let isOver = false;
    // Node reads the rest of a refused body; its end must not let the request through.
    const finish = (error: Error | null) => {
      if (isOver) return;
      isOver = true;
      done(error, undefined);
    };
    payload.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes || isOver) return;
      finish(new HttpError("PAYLOAD_TOO_LARGE", undefined, undefined, { headers: { connection: "close" } }));
    });
    payload.on("end", () => finish(null));
    payload.on("error", finish);
  });
}
