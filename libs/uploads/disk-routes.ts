import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { FairPlaces } from "#libs/async/index.ts";
import {
  type AddressKey,
  addressKeyOf,
  conflict,
  FairBytes,
  type Holding,
  HttpError,
  holderOf,
  httpError,
  invalidInput,
  matchesEtag,
  notFound,
  openToBrowsers,
  tooManyRequests,
  unavailable,
} from "#libs/http/index.ts";
import type { DiskUploads } from "./disk.ts";
import { type StoredFile, UploadsError } from "./port.ts";
import { parseUploadKey } from "./upload-key.ts";

export interface DiskRoutesOptions {
  readonly uploads: DiskUploads;
  /**
   * What the uploads that are arriving may take on the disk, in bytes. Beyond it the network with the most loses its oldest, with
   * 429. Default: 50 files of the largest size.
   */
  readonly mostBytes?: number;
  /** Files stored at a time; more are answered 503, and 429 to a network that has as many as are free. Default 20. */
  readonly maxStoring?: number;
  /** The time for one upload to arrive, in milliseconds. Default 25 s, less than the server's own limit. */
  readonly withinMs?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** An upload that is arriving. */
interface Arriving extends Holding {
  readonly cutOff: AbortController;
}

/** Counted for an upload that has begun: it takes a connection, an open file and their buffers. */
const UPLOAD_BYTES = 128 * 1024;
/** So only somebody with more networks than this can have another's only upload cut off. */
const LARGEST_FILES = 50;
const RETRY_AFTER_MS = 1_000;
const PATH = "/uploads/:workspaceId/:fileName";
/** A file never changes under its key, and no browser runs its content. */
const FILE_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
} as const;

const pathParams = z.object({ workspaceId: z.string(), fileName: z.string() });
const putQuery = z.object({
  contentType: z.string(),
  contentLength: z.string(),
  expires: z.string(),
  signature: z.string(),
});

/** Adds `PUT /uploads/{key}`, for those with a grant, and `GET /uploads/{key}`, for everybody. */
export async function registerDiskUploads(app: FastifyInstance, options: DiskRoutesOptions): Promise<void> {
  await app.register(async (scope) => addRoutes(scope, options));
}

function addRoutes(app: FastifyInstance, options: DiskRoutesOptions): void {
  const { uploads, maxStoring = 20, withinMs = 25_000, now = Date.now } = options;
  const { mostBytes = LARGEST_FILES * (uploads.maxBytes + UPLOAD_BYTES) } = options;
  // A slow body takes what it has sent, and a place only once it has arrived: else a few slow senders would have them all.
  const bodies = new FairBytes<Arriving>(mostBytes, ({ cutOff }) =>
    cutOff.abort(tooManyRequests(RETRY_AFTER_MS)),
  );
  const places = new FairPlaces<AddressKey>(maxStoring, {
    overShare: () => tooManyRequests(RETRY_AFTER_MS),
    full: () => unavailable(RETRY_AFTER_MS),
  });
  const byKey = new Map<string, Arriving>();

  async function receive(
    key: string,
    expected: StoredFile,
    body: IncomingMessage,
    holder: AddressKey,
  ): Promise<void> {
    const upload: Arriving = { holder, bytes: UPLOAD_BYTES, cutOff: new AbortController() };
    // The sender of a broken upload tries again before we know that it broke.
    byKey.get(key)?.cutOff.abort(uploadExists("Another upload with this grant has begun."));
    byKey.set(key, upload);
    const late = setTimeout(
      () => upload.cutOff.abort(httpError("REQUEST_TIMEOUT", "The upload took too long.")),
      withinMs,
    );
    bodies.add(upload);
    try {
      await uploads.receive(key, expected, body, {
        signal: upload.cutOff.signal,
        count: (bytes) => bodies.grow(upload, bytes),
        store: (work) => places.run(holder, work),
      });
    } finally {
      clearTimeout(late);
      bodies.delete(upload);
      if (byKey.get(key) === upload) byKey.delete(key);
    }
  }

  openToBrowsers(app);
  app.removeAllContentTypeParsers();
  // The body stays in the request until the grant has been checked.
  app.addContentTypeParser("*", (_request, _body, done) => done(null));

  app.put(PATH, { config: { readsBody: true } }, async (request, reply) => {
    const key = keyOf(request);
    const expected = grantedFile(request, reply, key, uploads, now());
    try {
      await receive(key, expected, request.raw, holderOf(addressKeyOf(request)));
    } catch (error) {
      // Nobody waits for the rest of a slow body.
      if (!request.raw.complete) reply.header("connection", "close");
      throw translate(error);
    }
    return reply.header("etag", etagOf(key)).header("cache-control", "no-store").send({ success: true });
  });

  app.route({
    method: ["GET", "HEAD"],
    url: PATH,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const file = await uploads.find(key);
      if (file === null) throw notFound("File");
      reply.headers(FILE_HEADERS).header("etag", etagOf(key));
      if (isCached(request, etagOf(key))) return reply.code(304).send();
      reply.type(file.contentType).header("content-length", file.contentLength);
      return request.method === "HEAD" ? reply.send() : reply.send(uploads.read(key));
    },
  });
}

/** The file that the grant permits. Throws unless the request has the grant and announces exactly that file. */
function grantedFile(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  uploads: DiskUploads,
  now: number,
): StoredFile {
  const { "content-length": length, "content-type": type = "" } = request.headers;
  // Nobody reads the rest of an endless body, so the refusal closes the connection.
  if (length === undefined || Number(length) > uploads.maxBytes) reply.header("connection", "close");

  const query = putQuery.safeParse(request.query).data;
  if (query === undefined || !uploads.isGranted({ key, ...query }, query.signature, now)) {
    throw httpError("FORBIDDEN", "The upload address is not valid, or has expired.");
  }
  const contentType = parseUploadKey(key)?.contentType;
  if (contentType === undefined || type.split(";")[0]?.trim().toLowerCase() !== query.contentType) {
    throw httpError("UNSUPPORTED_MEDIA_TYPE", `The Content-Type has to be ${query.contentType}, as granted.`);
  }
  const contentLength = Number(query.contentLength);
  if (length === undefined) throw httpError("BAD_REQUEST", "A Content-Length is needed.");
  if (Number(length) > contentLength) throw new HttpError("PAYLOAD_TOO_LARGE");
  if (Number(length) < contentLength) {
    throw invalidInput("UPLOAD_MISMATCH", {
      formErrors: [`The file has to have ${contentLength} bytes, as granted.`],
    });
  }
  return { contentType, contentLength };
}

/** The key in the path. Throws 404 for any other text. */
function keyOf(request: FastifyRequest): string {
  const { workspaceId, fileName } = pathParams.parse(request.params);
  const key = `${workspaceId}/${fileName}`;
  if (parseUploadKey(key) === null) throw notFound("File");
  return key;
}

function etagOf(key: string): string {
  return `"${parseUploadKey(key)?.random}"`;
}

function isCached({ headers }: FastifyRequest, etag: string): boolean {
  return matchesEtag(headers["if-none-match"] ?? "", etag);
}

/** A failed `receive` as the error that the browser sees. */
function translate(error: unknown): unknown {
  if (!(error instanceof UploadsError)) return isFull(error) ? unavailable(60_000, { cause: error }) : error;
  const { code, message } = error;
  return code === "EXISTS"
    ? uploadExists(message)
    : invalidInput("UPLOAD_MISMATCH", { formErrors: [message] });
}

function uploadExists(message: string): HttpError {
  return conflict("UPLOAD_EXISTS", { formErrors: [message] });
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
