import { ORPCError } from "@orpc/client";
import { afterEach, expect, it, vi } from "vitest";
import { callPeople } from "./people-api.ts";
import { messageOf } from "./problems.ts";
import { readPerson } from "./session.ts";

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string): void {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
}

it("throws a refusal with its code and sentence", async () => {
  answer(401, JSON.stringify({ code: "INVALID_PASSWORD", status: 401, message: "Invalid password" }));

  const refusal = await callPeople("POST", "/change-password", {}).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(ORPCError);
  expect(refusal).toMatchObject({ code: "INVALID_PASSWORD", status: 401, message: "Invalid password" });
});

it("throws an answer of somebody in between with a sentence of its own", async () => {
  answer(502, "<h1>Bad gateway</h1>");

  const refusal = await callPeople("GET", "/get-session").catch((error: unknown) => error);

  expect(messageOf(refusal)).toBe("The server gave an answer that could not be read.");
});

it("reads who is signed in, and nobody out of anything else", () => {
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
