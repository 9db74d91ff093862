import type { z } from "zod";
import { envelope } from "./envelope.ts";
import { parseStrictly } from "./parse-strictly.ts";

/** Somebody who calls the service: with a session, with a key, or with nothing. */
export class ApiCaller {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** The bare answer, whatever it is. A text body is sent as it is, anything else as JSON. */
  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const hasBody = body !== undefined;
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      redirect: "manual",
      headers: { ...(hasBody ? { "content-type": "application/json" } : {}), ...this.#headers, ...headers },
      ...(hasBody ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  }

  /** The answer's body, which has to be a 200 of exactly that shape: an unknown key fails, however deep. */
  async ok<T>(shape: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.request(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return parseStrictly(shape, JSON.parse(answer.text));
  }

  /** The error envelope of an answer that has to have that status. */
  async refused(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.infer<typeof envelope>> {
    const answer = await this.request(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${method} ${path} answered ${answer.status}, not ${status}: ${answer.text}`);
    }
    return envelope.parse(JSON.parse(answer.text));
  }

  /** The names of the fields that an answer of 422 complains of. */
  async invalid(method: string, path: string, body?: unknown): Promise<string[]> {
    const { data } = await this.refused(422, method, path, body);
    return Object.keys(data?.fieldErrors ?? {});
  }
}
