import { Pool } from "undici";

export interface Question {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Asker {
  /** The whole answer to one request; undefined where it was refused, broke off or took too long. Never rejects. */
  ask(question: Question): Promise<Answer | undefined>;
  /** Ends all connections; what is under way breaks off. */
  close(): Promise<void>;
}

export interface AskerOptions {
  /** The most at once; further questions wait for one of them. */
  readonly connections: number;
  /** How long it may take to connect, to the head of an answer, and from one part of its body to the next. */
  readonly timeoutMs: number;
}

/**
 * Asks one server over connections that are kept. With undici, whose requests cost less than those of `node:http`: what
 * loads a server on few cores must not be busier than it.
 */
export function openAsker(origin: string, { connections, timeoutMs }: AskerOptions): Asker {
  const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const pool = new Pool(origin, { connections, ...timeouts });
  return {
    ask: ({ method, path, headers = {}, body }) =>
      new Promise((resolve) => {
        let status = 0;
        let text = "";
        const decoder = new TextDecoder();
        pool.dispatch(
          { method, path, headers, body: body ?? null },
          {
            onRequestStart: () => {},
            onResponseStart: (_controller, code) => {
              status = code;
            },
            onResponseData: (_controller, part) => {
              text += decoder.decode(part, { stream: true });
            },
            onResponseEnd: () => resolve({ status, body: text }),
            onResponseError: () => resolve(undefined),
          },
        );
      }),
    close: () => pool.destroy(),
  };
}
