import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type AddressKey, addressKey } from "./address-key.ts";
import { clientAddress } from "./client-address.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly direct: DirectAnswers;
  }
}

/** Answers a request, now or later, and returns true; or leaves it untouched and returns false. */
export type DirectAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface DirectAnswersOptions {
  readonly isTrusted: (address: string) => boolean;
  readonly newRequestId: (request: IncomingMessage) => string;
  /** If this is https, plain http requests are left to Fastify, which redirects them. */
  readonly publicUrl: URL;
}

/**
 * A way past Fastify for the most frequent requests: routing and hooks cost as much as an answer from memory. Requests that
 * it leaves go to their Fastify route, and so do all while the server closes, because Fastify ends the connections.
 */
export class DirectAnswers {
  readonly #options: DirectAnswersOptions;
  readonly #isHttpsOnly: boolean;
  readonly #answers = new Map<string, DirectAnswer>();
  #isClosing = false;

  constructor(options: DirectAnswersOptions) {
    this.#options = options;
    this.#isHttpsOnly = options.publicUrl.protocol === "https:";
  }

  /** `answer` is asked first about each request of the method. There is one per method. */
  add(method: string, answer: DirectAnswer): void {
    if (this.#answers.has(method)) throw new Error(`There is a direct answer to ${method} already.`);
    this.#answers.set(method, answer);
  }

  /** The whole address, like `request.ip` in Fastify. */
  clientOf(request: IncomingMessage): string {
    return clientAddress(request, this.#options.isTrusted);
  }

  /** Whether a trusted proxy has sent the request, so that the headers that it sets are believed. */
  isFromProxy(request: IncomingMessage): boolean {
    return this.#options.isTrusted(request.socket.remoteAddress ?? "");
  }

  /** The same key that `addressKeyOf` gives for a Fastify request. */
  addressOf(request: IncomingMessage): AddressKey {
    return addressKey(this.clientOf(request));
  }

  /** An id like `request.id` in Fastify. Each call may return a new one. */
  idOf(request: IncomingMessage): string {
    return this.#options.newRequestId(request);
  }

  /** Leaves every request to Fastify from now on. */
  close(): void {
    this.#isClosing = true;
  }

  /** The listener of the HTTP server; `fastify` handles the requests that are not answered directly. */
  before(fastify: RequestListener): RequestListener {
    return (request, response) => {
      if (!this.#answer(request, response)) fastify(request, response);
    };
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const answer = this.#answers.get(request.method ?? "");
    if (answer === undefined || this.#isClosing) return false;
    const protocol = request.headers["x-forwarded-proto"];
    if (this.#isHttpsOnly && protocol !== undefined && protocol !== "https") return false;
    try {
      return answer(request, response);
    } catch (error) {
      // The Fastify route fails in the same way and reports it. An answer that has begun can only be cut off.
      if (response.headersSent) response.destroy(error instanceof Error ? error : undefined);
      return response.headersSent;
    }
  }
}
