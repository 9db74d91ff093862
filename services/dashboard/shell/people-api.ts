import { ORPCError } from "@orpc/client";

/** Calls one of better-auth's endpoints below `/api/auth`. Its errors are `ORPCError`s, as everywhere. */
export async function callPeople(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
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

function asError(status: number, answer: unknown): ORPCError<string, unknown> {
  const envelope: { code?: unknown; message?: unknown; data?: unknown } =
    typeof answer === "object" && answer !== null ? answer : {};
  const { code, message, data } = envelope;
  return new ORPCError(typeof code === "string" ? code : "UNEXPECTED_ANSWER", {
    status,
    message: typeof message === "string" ? message : "The server gave an answer that could not be read.",
    data,
  });
}
