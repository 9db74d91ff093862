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
/** What is decompressed at a time, in another thread: with zlib's own 16 KiB the way there and back takes as long as the work. */
const STEP = 64 * 1024;
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
const TAB = 0x09;
const RETURN = 0x0d;
const BLANK = 0x20;
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
  const type = request.headers["content-type"]?.toLowerCase() ?? "";
  if (LINE_TYPES.some((one) => type.startsWith(one))) return readLines(body);
  refuseCostly(body.toString("latin1"));
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
    return await decompress(body, { maxOutputLength: LARGEST_BODY, chunkSize: STEP });
  } catch (cause) {
    const isTooLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? new HttpError("PAYLOAD_TOO_LARGE") : malformedBody("The body is not valid gzip.");
  }
}

function refuseCostly(text: string): void {
  const cost = costOfJson(text);
  if (cost !== null) throw malformedBody(cost);
}

function readLines(body: Buffer): unknown[] {
  const lines = linesOf(body);
  if (lines.length === 0) throw wrongNumber();
  refuseCostly(lines.map(({ start, end }) => body.toString("latin1", start, end)).join("\n"));
  const events = lines.map((line) => parseLine(body, line));
  // Else the answer would be 200, with nothing accepted.
  if (events.length === 1 && eventsBody.safeParse(events[0]).success) throw malformedBody(NO_LINES);
  return events;
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** From 1, blank lines included. */
  readonly number: number;
}

/**
 * Where the events are: white space between them is none. A megabyte of it is a kilobyte of gzip, so it is passed once and nothing else
 * looks at it. Stops at the first event too many.
 */
function linesOf(body: Buffer): Line[] {
  const lines: Line[] = [];
  let number = 1;
  for (let at = 0; at < body.length; ) {
    const byte = body[at];
    if (byte === NEWLINE) number += 1;
    if (byte === NEWLINE || byte === BLANK || byte === RETURN || byte === TAB) {
      at += 1;
      continue;
    }
    if (lines.length === MOST_EVENTS) throw wrongNumber();
    const newline = body.indexOf(NEWLINE, at);
    const end = newline < 0 ? body.length : newline;
    lines.push({ start: at, end, number });
    at = end;
  }
  return lines;
}

/** A line that is cut off may be the end of a body that was: nothing of the request is recorded. */
function parseLine(body: Buffer, { start, end, number }: Line): unknown {
  try {
    return JSON.parse(body.toString("utf8", start, end));
  } catch {
    throw malformedBody(`Line ${number} is not valid JSON, so nothing of the request was recorded.`);
  }
}

function wrongNumber(): HttpError {
  return invalidInput("INVALID_INPUT", {
    fieldErrors: { events: [`Must be a list of 1 to ${MOST_EVENTS} events.`] },
  });
}
