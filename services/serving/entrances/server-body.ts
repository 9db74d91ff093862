import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { eventsBody } from "#libs/contract/server-events.ts";
import { MOST_EVENTS } from "#libs/domain/server-events.ts";
import {
  costOfJson,
  HttpError,
  httpError,
  invalidInput,
  malformedBody,
  mapZodError,
  parseJson,
} from "#libs/http/index.ts";

/** The longest body, as it is sent and after it is decompressed. */
const LARGEST_BODY = 1024 * 1024;
const NDJSON = "application/x-ndjson";
/** None is registered; each is what some programs send. */
const LINE_TYPES = [NDJSON, "application/ndjson", "application/jsonl", "application/x-jsonlines"];
const WRONG_TYPE = `The body has to be application/json or ${NDJSON}.`;
const NO_JSON = `The body is not valid JSON. With one event a line its Content-Type is ${NDJSON}.`;
const NO_LINES = `With the Content-Type ${NDJSON} each line is one event. For {"events": […]} it is application/json.`;
const NO_CODING = "The body is gzip and has no Content-Encoding: gzip.";
const GZIP = Buffer.of(0x1f, 0x8b);
const MARK = Buffer.from("\uFEFF");
const NEWLINE = 0x0a;
const SPACE: ReadonlySet<number> = new Set([0x09, NEWLINE, 0x0d, 0x20]);
const decompress = promisify(gunzip);

/** Bodies arrive as bytes, of at most 1 MiB; any other type is 415. */
export function takeEventBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    ["application/json", ...LINE_TYPES],
    { parseAs: "buffer", bodyLimit: LARGEST_BODY },
    (_request, body, done) => done(null, body),
  );
  app.addContentTypeParser("*", (_request, _payload, done) =>
    done(httpError("UNSUPPORTED_MEDIA_TYPE", WRONG_TYPE)),
  );
}

/**
 * The events of a body, none of them looked at. Awaits `turn` before it reads the bytes. Throws 413 for one that is over 1 MiB after
 * decompression, of which no more than that is decompressed; 415 for a coding other than gzip; 422 for one that is no list of events.
 */
export async function readEvents(
  request: FastifyRequest,
  turn: () => Promise<void>,
): Promise<readonly unknown[]> {
  const body = withoutMark(await decoded(request));
  await turn();
  const cost = costOfJson(body.toString("latin1"));
  if (cost !== null) throw malformedBody(cost);
  const type = request.headers["content-type"]?.toLowerCase() ?? "";
  if (LINE_TYPES.some((one) => type.startsWith(one))) return readLines(body);
  const parsed = eventsBody.safeParse(parseJson(body.toString(), NO_JSON));
  if (!parsed.success) throw invalidInput("INVALID_INPUT", mapZodError(parsed.error));
  return parsed.data.events;
}

/** Without the byte order mark that some programs write at the front of a text. */
function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, MARK.length).equals(MARK) ? body.subarray(MARK.length) : body;
}

async function decoded({ body, headers }: FastifyRequest): Promise<Buffer> {
  if (!(body instanceof Buffer) || body.length === 0) throw malformedBody("The body is empty.");
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || coding === "") {
    if (body.subarray(0, GZIP.length).equals(GZIP)) throw malformedBody(NO_CODING);
    return body;
  }
  if (coding !== "gzip") {
    throw new HttpError(
      "UNSUPPORTED_MEDIA_TYPE",
      "The body may be sent with gzip, or without a Content-Encoding.",
      undefined,
      {
        headers: { "accept-encoding": "gzip, identity" },
      },
    );
  }
  try {
    return await decompress(body, { maxOutputLength: LARGEST_BODY });
  } catch (cause) {
    const isTooLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? new HttpError("PAYLOAD_TOO_LARGE") : malformedBody("The body is not valid gzip.");
  }
}

/** White space between events is none. Stops at the first event too many. */
function readLines(body: Buffer): unknown[] {
  const events: unknown[] = [];
  for (let start = skipSpace(body, 0); start < body.length; ) {
    if (events.length === MOST_EVENTS) throw wrongNumber();
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 ? body.length : newline;
    events.push(parseLine(body, start, end));
    start = skipSpace(body, end);
  }
  if (events.length === 0) throw wrongNumber();
  // Else the answer would be 200, with nothing accepted.
  if (events.length === 1 && eventsBody.safeParse(events[0]).success) throw malformedBody(NO_LINES);
  return events;
}

/** A line that is cut off may be the end of a body that was: nothing of the request is recorded. */
function parseLine(body: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(body.toString("utf8", start, end));
  } catch {
    const line = body.subarray(0, start).reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 1);
    throw malformedBody(`Line ${line} is not valid JSON, so nothing of the request was recorded.`);
  }
}

/** Byte by byte: a megabyte of nothing but newlines takes a few milliseconds. */
function skipSpace(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && SPACE.has(body[at] ?? 0)) at += 1;
  return at;
}

function wrongNumber(): HttpError {
  return invalidInput("INVALID_INPUT", {
    fieldErrors: { events: [`Must be a list of 1 to ${MOST_EVENTS} events.`] },
  });
}
