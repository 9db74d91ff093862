import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** Ids of our own proxies are kept when they are short and plain; anything else could forge lines in a log. */
const SANE = /^[\w.:-]{1,64}$/;

/** Ids of a random part per process and a count. An id from a trusted proxy is kept, so that both logs can be compared. */
export function createRequestIds(
  isTrusted: (address: string) => boolean,
): (request?: IncomingMessage) => string {
  const processPart = randomBytes(6).toString("hex");
  let count = 0;
  return (request) => {
    const given = request?.headers["x-request-id"];
    if (typeof given === "string" && SANE.test(given) && isTrusted(request?.socket.remoteAddress ?? "")) {
      return given;
    }
    count += 1;
    return `${processPart}-${count.toString(36)}`;
  };
}

/** Puts the request's id on its answer as `x-request-id`. An answer that is written past Fastify has to do it itself. */
export function answerRequestIds(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, _body, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
}
