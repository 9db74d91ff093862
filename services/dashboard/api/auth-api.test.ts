import { ORPCError } from "@orpc/client";
import { afterEach, expect, it, vi } from "vitest";
import { callAuth } from "./auth-api.ts";
import { messageOf } from "./problems.ts";
import { readPerson } from "./session.ts";

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string): void {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
}

it("throws an error response with its code and message", async () => {
  answer(401, JSON.stringify({ code: "INVALID_PASSWORD", status: 401, message: "Invalid password" }));

  const refusal = await callAuth("POST", "/change-password", {}).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(ORPCError);
  expect(refusal).toMatchObject({ code: "INVALID_PASSWORD", status: 401, message: "Invalid password" });
});

it("throws a response of a proxy with our own message", async () => {
  answer(502, "<h1>Bad gateway</h1>");

  const refusal = await callAuth("GET", "/get-session").catch((error: unknown) => error);

  expect(messageOf(refusal)).toBe("The server sent an answer that we couldn’t read.");
});

it("reads the signed-in person, and null from anything else", () => {
  const person = { id: "per_1", name: "Ada", email: "ada@example.com" };
  const answers = [
    { session: {}, user: { ...person, image: null } },
    { session: {}, user: { ...person, twoFactorEnabled: true } },
    null,
    {},
    { user: null },
    { user: { id: 1 } },
  ];

  expect(answers.map(readPerson)).toEqual([
    { ...person, hasTwoFactor: false },
    { ...person, hasTwoFactor: true },
    null,
    null,
    null,
    null,
  ]);
});
