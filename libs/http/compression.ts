import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";

/** Smaller answers fit into a packet or two either way. */
const THRESHOLD_BYTES = 1_024;

/**
 * Compresses text and JSON over 1 KiB in the answers of a scope's routes, those added after this call, for callers that accept
 * it. Call it only where no answer holds a secret beside text that others can choose: the length of a compressed answer
 * tells how alike the two are (BREACH). An answer with an `ETag` stays as it is, because the tag names these very bytes.
 */
export async function compressAnswers(scope: FastifyInstance): Promise<void> {
  scope.addHook("onSend", async (request, reply, body) => {
    if (reply.hasHeader("etag")) request.headers["x-no-compression"] = "tagged";
    else reply.header("vary", withEncoding(reply.getHeader("vary")));
    return body;
  });
  // Bodies of requests stay uncompressed: a small one could become any size.
  await scope.register(compress, {
    globalDecompression: false,
    threshold: THRESHOLD_BYTES,
    encodings: ["br", "gzip"],
  });
}

/** For caches: the answer depends on `Accept-Encoding` also for a caller that gets it uncompressed. */
function withEncoding(vary: string | number | string[] | undefined): string {
  const known = [vary ?? []].flat().join(", ");
  if (/(^|,)\s*accept-encoding\s*(,|$)/i.test(known)) return known;
  return known === "" ? "accept-encoding" : `${known}, accept-encoding`;
}
