import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isPlainTarget } from "#libs/http/index.ts";
import type { DurableStatements } from "./durable-statements.ts";
import type { Engine } from "./engine.ts";
import { ClickHouseException, exceptionCode, exceptionText } from "./exception.ts";
import { readForm, withParameters } from "./parameters.ts";
import {
  readRawInsert,
  readSettings,
  refuseToChangeSession,
  withoutEmptyLines,
  withSettings,
} from "./statement.ts";

/** Ranges of 100,000 events are some 20 MB. A body is read only once its request has a session, so few are held. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Parameters may go in the address; ClickHouse takes 1 MiB of it, Node 16 KiB unless told. */
const MAX_HEADER_BYTES = 1024 * 1024;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Answer {
  readonly body: Uint8Array;
  readonly summary?: Record<string, string>;
}

/** The part of ClickHouse's HTTP interface that its official client uses, over an embedded engine. */
export function createHttpInterface(
  engine: Engine,
  durable: DurableStatements,
  credentials: Credentials,
): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 10_000 },
    (request, response) => {
      void answer(engine, durable, credentials, request, response);
    },
  );
  server.requestTimeout = 60_000;
  return server;
}

async function answer(
  engine: Engine,
  durable: DurableStatements,
  credentials: Credentials,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const address = addressOf(request);
    if (address.pathname === "/ping") {
      response.end("Ok.\n");
      return;
    }
    if (address.pathname !== "/") throw noSuchHandler();
    authenticate(request, credentials);
    response.setHeader(
      "X-ClickHouse-Query-Id",
      headerText(address.searchParams.get("query_id") ?? randomUUID()),
    );
    const { body, summary } = await execute(engine, durable, request, address.searchParams);
    if (summary !== undefined) response.setHeader("X-ClickHouse-Summary", JSON.stringify(summary));
    response.setHeader("Content-Type", "text/plain; charset=UTF-8");
    response.end(body);
  } catch (error) {
    refuse(request, response, error);
  }
}

function addressOf({ url = "" }: IncomingMessage): URL {
  const address = isPlainTarget(url) ? URL.parse(url, "http://localhost") : null;
  if (address === null) throw noSuchHandler();
  return address;
}

function noSuchHandler(): ClickHouseException {
  return new ClickHouseException(48, "NOT_IMPLEMENTED", "No such handler", 404);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  response.statusCode = error instanceof ClickHouseException ? error.status : 500;
  response.setHeader("X-ClickHouse-Exception-Code", exceptionCode(error));
  // The rest of the body would be read as the next request.
  if (!request.complete) response.setHeader("Connection", "close");
  response.end(`${exceptionText(error)}\n`);
}

async function execute(
  engine: Engine,
  durable: DurableStatements,
  request: IncomingMessage,
  address: URLSearchParams,
): Promise<Answer> {
  const settings = readSettings(address);
  const format = address.get("default_format") ?? "TabSeparated";
  if (!/^\w+$/.test(format)) throw new ClickHouseException(73, "UNKNOWN_FORMAT", "Unknown format");

  const database = address.get("database") ?? "default";
  return engine.withSession(database, async (session) => {
    const body = await readBody(request);
    const inAddress = address.get("query");
    const insert = inAddress === null ? null : readRawInsert(inAddress);
    if (insert !== null) {
      const { table, columns, format: rowFormat } = insert;
      const values = withoutEmptyLines(rowFormat, body);
      const written = await durable.insert(session, database, () =>
        session.insert({
          table,
          ...(columns.length > 0 && { columns }),
          format: rowFormat,
          values,
          settings,
        }),
      );
      const summary = {
        written_rows: String(written.rowsWritten),
        written_bytes: String(written.bytesWritten),
      };
      return { body: Buffer.alloc(0), summary };
    }
    const form = await readForm(request.headers["content-type"], body);
    const given = new URLSearchParams([...address, ...form]);
    // ClickHouse reads the address and the body as one text, unless the body is a form.
    const inBody = form.length > 0 ? [] : [body.toString("utf8")];
    const text = [...given.getAll("query"), ...inBody].join("\n").trim();
    refuseToChangeSession(text);
    const sql = withSettings(withParameters(text, given), settings, format);
    const result = await session.queryAsync(sql, { format });
    const answered = result.bytes();
    await durable.finish(session, database, text);
    return { body: answered };
  });
}

function authenticate(request: IncomingMessage, credentials: Credentials): void {
  const [, basic = ""] = /^Basic (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const given = basic
    ? Buffer.from(basic, "base64").toString("utf8")
    : `${request.headers["x-clickhouse-user"] ?? ""}:${request.headers["x-clickhouse-key"] ?? ""}`;
  // Digests have one length, so the comparison reveals nothing about the password, not even its length.
  if (!timingSafeEqual(digest(given), digest(`${credentials.username}:${credentials.password}`))) {
    throw new ClickHouseException(516, "AUTHENTICATION_FAILED", "Authentication failed", 403);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new ClickHouseException(48, "NOT_IMPLEMENTED", "Compressed bodies are not taken");
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request that is dropped takes its answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new ClickHouseException(307, "TOO_MANY_BYTES", `A body may have ${MAX_BODY_BYTES} bytes`, 413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
