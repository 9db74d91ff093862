import { ORPCError } from "@orpc/client";
import { codeOf } from "./problems.ts";

/** Calls one of better-auth's endpoints below `/api/auth`. Its errors are `ORPCError`s, as everywhere. */
export async function callAuth(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
  const response = await fetch(`/api/auth${path}`, {
    method,
    ...(method === "POST"
      ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) }
      : {}),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw asError(response.status, answer);
}

/** A value in a response; undefined if there is none of this key. */
export function valueIn(answer: unknown, key: string): unknown {
  return typeof answer === "object" && answer !== null ? Reflect.get(answer, key) : undefined;
}

function asError(status: number, answer: unknown): ORPCError<string, unknown> {
  const envelope: { code?: unknown; message?: unknown; data?: unknown } =
    typeof answer === "object" && answer !== null ? answer : {};
  const { code, message, data } = envelope;
  return new ORPCError(typeof code === "string" ? code : "UNEXPECTED_ANSWER", {
    status,
    message: typeof message === "string" ? message : "The server sent an answer that we couldn’t read.",
    data,
  });
}

const SENTENCES: Readonly<Record<string, string>> = {
  INVALID_PASSWORD: "Wrong password.",
  INVALID_CODE: "This code is wrong or already used. Wait for the next one.",
  INVALID_BACKUP_CODE: "This recovery code is wrong or already used.",
  INVALID_TWO_FACTOR_COOKIE: "This took too long or too many tries. Sign in again.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Sign in again.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Wait for 15 minutes, then try again.",
  INVALID_TOKEN: "This link has expired, was already used or belongs to another account.",
  PASSKEY_NOT_FOUND: "We don’t recognize this passkey. It may have been removed from your account.",
  AUTHENTICATION_FAILED: "We couldn’t verify the passkey. Try again.",
  FAILED_TO_VERIFY_REGISTRATION: "We couldn’t verify the passkey. Try again.",
  CHALLENGE_NOT_FOUND: "This took too long. Try again.",
};

/** Explains an error of better-auth; null if its own message is good enough. */
export function explainAuthError(error: unknown): string | null {
  const code = codeOf(error);
  return code === null ? null : (SENTENCES[code] ?? null);
}
