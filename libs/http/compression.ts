import { promisify } from "node:util";
import { constants, brotliCompress as zlibBrotli, gzip as zlibGzip } from "node:zlib";
import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";

/** Smaller answers fit into a packet or two either way. */
const THRESHOLD_BYTES = 1_024;
/** The level, of at most 11. Higher ones take far longer and save little. */
const BROTLI_QUALITY = 5;
/** Texts of one scope that are kept compressed. */
const MOST_KEPT = 8;

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

const brotli = promisify(zlibBrotli);
const gzip = promisify(zlibGzip);

const CODERS = {
  identity: async (text: string) => Buffer.from(text),
  br: (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (text: string) => gzip(text),
} as const;
type Coding = keyof typeof CODERS;

/**
 * Like `compressAnswers`, for texts that are the same for everybody: encodes each once, because few threads compress. All callers
 * share the bytes: otherwise each would cost megabytes, which Node keeps until a slow reader has them.
 */
export function compressOnce(scope: FastifyInstance): void {
  const kept = new LRUCache<string, Map<Coding, Promise<Buffer>>>({ max: MOST_KEPT });
  scope.addHook("onSend", async ({ headers }, reply, body) => {
    reply.header("vary", withEncoding(reply.getHeader("vary")));
    if (typeof body !== "string" || body.length < THRESHOLD_BYTES) return body;
    const coding = codingFor(headers["accept-encoding"]);
    const codings = kept.get(body) ?? new Map<Coding, Promise<Buffer>>();
    kept.set(body, codings);
    const encoding = codings.get(coding) ?? CODERS[coding](body);
    codings.set(coding, encoding);
    const encoded = await encoding;
    if (coding !== "identity") reply.header("content-encoding", coding);
    reply.header("content-length", encoded.length);
    return encoded;
  });
}

/** The best coding that the caller accepts by name. */
function codingFor(accepted: string | undefined): Coding {
  const names = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(";", 1)[0]?.trim());
  return names.includes("br") ? "br" : names.includes("gzip") ? "gzip" : "identity";
}

/** For caches: the answer depends on `Accept-Encoding` also for a caller that gets it uncompressed. */
function withEncoding(vary: string | number | string[] | undefined): string {
  const known = [vary ?? []].flat().join(", ");
  if (/(^|,)\s*accept-encoding\s*(,|$)/i.test(known)) return known;
  return known === "" ? "accept-encoding" : `${known}, accept-encoding`;
}
