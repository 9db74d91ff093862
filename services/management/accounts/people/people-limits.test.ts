import { expect, it } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo, tokenIn } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";

const service = await startManagement({ verifyEmail: true, keepsPasswordsWell: true });
const anybody = new ApiCaller(service.origin);
const PASSWORD = "correct horse battery";
const signUp = (email: string) =>
  anybody.request("POST", "/api/auth/sign-up/email", { name: "Grace Example", email, password: PASSWORD });
const signIn = (email: string) =>
  anybody.request("POST", "/api/auth/sign-in/email", { email, password: PASSWORD });

async function confirmationFor(email: string): Promise<string> {
  return /\/confirm-account\S*#token=(\S+)/.exec((await mailTo(service, email, "Confirm")).text)?.[1] ?? "";
}

const confirm = (token: string, password: string) =>
  anybody.request("POST", "/api/auth/confirm-account", { token, password });

it("asks for a verified address where mail is sent: no session before the link was followed", async () => {
  const email = "grace@example.com";

  const signedUp = await signUp(email);
  const tooEarly = await signIn(email);
  const confirmed = await confirm(await confirmationFor(email), PASSWORD);
  const later = await signIn(email);

  expect(signedUp.status).toBe(200);
  expect(signedUp.headers.getSetCookie()).toEqual([]);
  expect([tooEarly.status, JSON.parse(tooEarly.text).code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
  expect([confirmed.status, JSON.parse(confirmed.text)]).toEqual([200, { email }]);
  expect(confirmed.headers.getSetCookie()).toEqual([]);
  expect(later.status).toBe(200);
});

it("verifies no address without the password of the sign-up, so that nobody makes a stranger's good for it", async () => {
  const email = "pre-registered@example.com";
  await signUp(email);
  const token = await confirmationFor(email);

  const withOwn = await confirm(token, "what the holder would choose");
  const byLinkAlone = await anybody.request("GET", `/api/auth/verify-email?token=${token}`);
  const forged = await confirm("nothing", PASSWORD);
  const stranger = await signIn(email);

  expect([withOwn.status, JSON.parse(withOwn.text).code]).toEqual([400, "INVALID_PASSWORD"]);
  expect(byLinkAlone.status).toBe(404);
  expect([forged.status, JSON.parse(forged.text).code]).toEqual([400, "INVALID_TOKEN"]);
  expect([stranger.status, JSON.parse(stranger.text).code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
});

it("gives an address to its holder by a new password, and ends all that a stranger has set up with it", async () => {
  const email = "taken-before@example.com";
  await signUp(email);
  const { pool } = service.database;
  await pool.query(
    `insert into passkeys (id, person_id, public_key, credential_id, counter, device_type, backed_up)
     select 'pk_1', id, 'key', 'credential', 0, 'singleDevice', false from people where email = $1`,
    [email],
  );

  await anybody.request("POST", "/api/auth/request-password-reset", { email });
  const token = tokenIn(await mailTo(service, email, "new password"));
  await anybody.request("POST", "/api/auth/reset-password", { token, newPassword: "the holder's own" });
  const stranger = await signIn(email);
  const holder = await anybody.request("POST", "/api/auth/sign-in/email", {
    email,
    password: "the holder's own",
  });

  expect([stranger.status, holder.status]).toEqual([401, 200]);
  expect((await pool.query("select 1 from passkeys")).rowCount).toBe(0);
});

it("writes nothing that a stranger chose to an address that nobody has confirmed", async () => {
  const email = "mailbox-of-somebody@example.com";
  const name = "Claim your prize at evil.example";
  await anybody.request("POST", "/api/auth/sign-up/email", { name, email, password: PASSWORD });
  await anybody.request("POST", "/api/auth/request-password-reset", { email });

  const letters = [await mailTo(service, email, "Confirm"), await mailTo(service, email, "new password")];

  for (const { subject, text, html } of letters) {
    expect(`${subject}${text}${html}`).not.toMatch(/prize|evil/);
  }
});

it("answers two sign-ups at once with one address alike, so that nobody learns whether it is known", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => signUp("at-once@example.com")));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

it("does not tell by a sign-up that an address is known; its owner hears of it by mail", async () => {
  const first = await signUp("known@example.com");
  const second = await signUp("known@example.com");

  const shape = (text: string) => Object.keys(JSON.parse(text).user).toSorted();
  expect([second.status, shape(second.text)]).toEqual([first.status, shape(first.text)]);
  expect((await mailTo(service, "known@example.com", "already have an account")).text).toContain(
    "sign in instead",
  );
});

it("limits challenges for a new passkey, each of which is stored, 120 a minute for one address", async () => {
  const statuses: number[] = [];
  for (let count = 0; count <= 120; count += 1) {
    const { status } = await anybody.request("GET", "/api/auth/passkey/generate-register-options");
    statuses.push(status);
  }

  expect(statuses.slice(0, 100)).not.toContain(429);
  expect(statuses.at(-1)).toBe(429);
});
