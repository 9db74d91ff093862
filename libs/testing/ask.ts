import http, { type Agent, type OutgoingHttpHeaders } from "node:http";
import https from "node:https";

export interface Question {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Its connections. Close it to close them. */
  readonly agent: Agent;
  /** From now to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The whole answer to one request; undefined where it was refused, broke off or took too long. Never rejects. */
export function ask(url: string, { body, timeoutMs, ...options }: Question): Promise<Answer | undefined> {
  const { request } = url.startsWith("https:") ? https : http;
  return new Promise((resolve) => {
    const outgoing = request(url, options);
    const timer = setTimeout(() => outgoing.destroy(new Error("no answer in time")), timeoutMs);
    const end = (answer?: Answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    outgoing.on("error", () => end());
    outgoing.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("error", () => end());
      response.on("close", () =>
        end(response.complete ? { status: response.statusCode ?? 0, body: text } : undefined),
      );
    });
    outgoing.end(body);
  });
}
