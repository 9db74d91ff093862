import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { type AddressKey, addressKey } from "./address-key.ts";
import { clientAddress } from "./client-address.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly direct: DirectAnswers;
  }
}

/** Answers a request, now or later, and returns true; or leaves it as it is and returns false. */
export type DirectAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * A way past the framework for the few requests that come by the ten thousand a second: routing, hooks and the objects
 * around a request cost about as much as answering one from memory. Whatever such an answer leaves alone goes the long
 * way through the routes, so it only has to know the plain case, and its route has to exist too.
 */
export interface DirectAnswers {
  /** `answer` is asked first about each request of the method. A method takes one. */
  add(method: string, answer: DirectAnswer): void;
  /** As `addressKeyOf` a request on the long way. */
  addressOf(request: IncomingMessage): AddressKey;
  /** As `request.id`; each call may make another. */
  idOf(request: IncomingMessage): string;
}

export interface DirectAnswersOptions {
  readonly isTrusted: (address: string) => boolean;
  readonly newRequestId: (request: IncomingMessage) => string;
  /** https here means that what came by plain http is not answered directly: it is to be redirected. */
  readonly publicUrl: URL;
}

/** Makes `app.direct`. While the server closes everything goes the long way, which ends connections. */
export function allowDirectAnswers(app: FastifyInstance, options: DirectAnswersOptions): void {
  const { isTrusted, newRequestId, publicUrl } = options;
  const isHttpsOnly = publicUrl.protocol === "https:";
  const answers = new Map<string, DirectAnswer>();
  let isClosing = false;

  app.decorate("direct", {
    add(method, answer) {
      if (answers.has(method)) throw new Error(`There is a direct answer to ${method} already.`);
      answers.set(method, answer);
    },
    addressOf: (request) => addressKey(clientAddress(request, isTrusted)),
    idOf: newRequestId,
  });
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });

  function answerDirectly(request: IncomingMessage, response: ServerResponse): boolean {
    const answer = answers.get(request.method ?? "");
    if (answer === undefined || isClosing) return false;
    if (isHttpsOnly && request.headers["x-forwarded-proto"] !== undefined && !cameByHttps(request))
      return false;
    try {
      return answer(request, response);
    } catch (error) {
      // The long way fails alike and tells of it as it tells of every failure; once it is begun nobody else can answer.
      if (response.headersSent) response.destroy(error instanceof Error ? error : undefined);
      return response.headersSent;
    }
  }

  app.server.removeAllListeners("request");
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!answerDirectly(request, response)) app.routing(request, response);
  });
}

function cameByHttps(request: IncomingMessage): boolean {
  return request.headers["x-forwarded-proto"] === "https";
}
