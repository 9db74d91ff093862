import { ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "#libs/domain/error-codes.ts";
import { HttpError } from "./envelope.ts";

const BY_PARSER_CODE: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
};

/** Answers malformed, slow and oversized requests in the envelope, and closes the connection. */
export function createParserErrorHandler(newRequestId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable || isAnswering(socket)) {
      socket.destroy(error);
      return;
    }
    const requestId = newRequestId();
    const failure =
      error instanceof HttpError ? error : new HttpError(BY_PARSER_CODE[error.code ?? ""] ?? "BAD_REQUEST");
    const envelope = failure.envelope(requestId);
    const body = JSON.stringify(envelope);
    const head = [
      `HTTP/1.1 ${envelope.status} ${STATUS_CODES[envelope.status]}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      "cache-control: no-store",
      "connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  };
}

/** Node keeps the answer under way in an undocumented field; a second one must not be written into the middle of it. */
function isAnswering(socket: Socket): boolean {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse && answer.headersSent;
}
