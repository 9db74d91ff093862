import { z } from "zod";

/** Calls the installation's own public interface. */
export interface Caller {
  /** Rejects with the method, path and answer when the status is not 2xx. */
  call<T>(method: string, path: string, answer: z.ZodType<T>, body?: unknown): Promise<T>;
}

const TIMEOUT_MS = 10_000;

/** An answer that has an id. */
export const withId = z.object({ id: z.string() });

/** A caller that sends `headers` with every request. Not for https with a certificate of another name. */
export function createCaller(origin: string, headers: Readonly<Record<string, string>> = {}): Caller {
  return {
    async call(method, path, answer, body) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
      return answer.parse(text === "" ? undefined : JSON.parse(text));
    },
  };
}

/** Signs somebody in and returns the cookie of the session. */
export async function signIn(origin: string, person: { email: string; password: string }): Promise<string> {
  const path = "/api/auth/sign-in/email";
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
