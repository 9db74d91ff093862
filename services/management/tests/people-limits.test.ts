import { expect, it } from "vitest";
import { ApiCaller } from "./callers.ts";
import { mailTo } from "./joining.ts";
import { startManagement } from "./management.ts";

const service = await startManagement({ verifyEmail: true, keepsPasswordsWell: true });
const anybody = new ApiCaller(service.origin);
const PASSWORD = "correct horse battery";
const signUp = (email: string) =>
  anybody.request("POST", "/api/auth/sign-up/email", { name: "Grace Example", email, password: PASSWORD });
const signIn = (email: string) =>
  anybody.request("POST", "/api/auth/sign-in/email", { email, password: PASSWORD });

it("asks for a verified address where mail is sent: no session before the link was opened (section 10)", async () => {
  const email = "grace@example.com";

  const signedUp = await signUp(email);
  const tooEarly = await signIn(email);
  const { text } = await mailTo(service, email, "Confirm");
  const link = /http\S+/.exec(text)?.[0] ?? "";
  const opened = await anybody.request("GET", link.slice(service.origin.length));
  const later = await signIn(email);

  expect(signedUp.status).toBe(200);
  expect(signedUp.headers.getSetCookie()).toEqual([]);
  expect([tooEarly.status, JSON.parse(tooEarly.text).code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
  expect(opened.headers.get("location")).toBe("/");
  expect(opened.headers.getSetCookie()).toEqual([]);
  expect(later.status).toBe(200);
});

it("goes nowhere else after a verification, and answers a forged link with an error", async () => {
  const away = await anybody.request(
    "GET",
    "/api/auth/verify-email?token=nothing&callbackURL=https%3A%2F%2Fevil.example",
  );
  const forged = await anybody.request("GET", "/api/auth/verify-email?token=nothing");

  expect(away.status).toBe(403);
  expect(forged.status).toBe(401);
});

it("does not tell by a sign-up that an address is known; its owner hears of it by mail", async () => {
  const first = await signUp("known@example.com");
  const second = await signUp("known@example.com");

  const shape = (text: string) => Object.keys(JSON.parse(text).user).toSorted();
  expect([second.status, shape(second.text)]).toEqual([first.status, shape(first.text)]);
  expect((await mailTo(service, "known@example.com", "account already")).text).toContain("sign in instead");
});

it("limits sign-in, sign-up and resets together, 20 a minute for one address", async () => {
  const paths = ["sign-in/email", "request-password-reset", "reset-password", "sign-up/email"];

  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => anybody.request("POST", `/api/auth/${paths[n % 4]}`, {})),
  );

  const refused = answers.filter(({ status }) => status === 429);
  // The tests above have used up a part of the minute, unless it has passed.
  expect(refused.length).toBeGreaterThanOrEqual(4);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect((await anybody.request("POST", "/api/auth/sign-in/email", "{")).status).toBe(429);
  expect((await anybody.request("GET", "/api/auth/get-session")).status).toBe(200);
});
