import { expect, it } from "vitest";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { PASSWORD } from "../tests/signing-in.ts";
import { aPerson } from "../tests/story.ts";

const service = await startManagement();
/** With no limit for the address that all tests come from. */
const unlimited = await startManagement({ unlimited: true });

it("limits sign-ins, sign-ups, resets, codes, passkeys and passwords together, 20 a minute for one address", async () => {
  const anybody = new ApiCaller(service.origin);
  const post = async (path: string) => (await anybody.request("POST", `/api/auth/${path}`, {})).status;

  const first = await Promise.all(Array.from({ length: 20 }, () => post("two-factor/verify-totp")));
  const others = await Promise.all(
    [
      "two-factor/verify-totp",
      "two-factor/verify-backup-code",
      "two-factor/enable",
      "two-factor/disable",
      "two-factor/generate-backup-codes",
      "passkey/verify-authentication",
      "passkey/verify-registration",
      "confirm-password",
      "email-change/request",
      "email-change/confirm",
      "sign-in/email",
      "sign-up/email",
      "request-password-reset",
      "reset-password",
    ].map(post),
  );
  const challenge = await anybody.request("GET", "/api/auth/passkey/generate-authenticate-options");

  expect(new Set(first)).toEqual(new Set([422]));
  expect(new Set(others)).toEqual(new Set([429]));
  expect(challenge.status).toBe(429);
});

it("lets the holder of a session try 20 passwords per hour, over all endpoints that take one", async () => {
  const { caller } = await aPerson(unlimited);
  const password = "not the password";
  const bodies = [
    ["confirm-password", { password }],
    ["change-password", { currentPassword: password, newPassword: "another good password" }],
    ["email-change/request", { newEmail: "elsewhere@example.com", password }],
    ["two-factor/enable", { password }],
    ["two-factor/disable", { password }],
  ] as const;

  const statuses = [];
  for (let n = 0; n < 20; n += 1) {
    const [path, body] = bodies[n % bodies.length] ?? bodies[0];
    statuses.push((await caller.request("POST", `/api/auth/${path}`, body)).status);
  }
  const right = await caller.refused(429, "POST", "/api/auth/confirm-password", { password: PASSWORD });

  expect(statuses).toEqual(Array(20).fill(400));
  expect(right.code).toBe("TOO_MANY_PASSWORDS");
  expect((await caller.request("GET", "/v1/workspaces")).status).toBe(200);
});
