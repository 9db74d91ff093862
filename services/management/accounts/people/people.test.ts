import { getMigrations } from "better-auth/db/migration";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { envelope } from "../../tests/envelope.ts";
import { mailTo, tokenIn } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { cookiesOf } from "../../tests/signing-in.ts";
import { aPerson } from "../../tests/story.ts";
import { authOptions } from "./auth-options.ts";
import { SCRYPT } from "./passwords.ts";
import { openPeople } from "./people.ts";

const service = await startManagement({ unlimited: true, keepsPasswordsWell: true });
const { origin, database } = service;
const anybody = new ApiCaller(origin);
const PASSWORD = "correct horse battery";

async function countOf(table: string): Promise<number> {
  const { rows } = await database.pool.query(`select count(*)::int as rows from ${table}`);
  return rows[0].rows;
}

function signIn(email: string, password = PASSWORD, headers: Record<string, string> = {}) {
  return anybody.request("POST", "/api/auth/sign-in/email", { email, password }, headers);
}

function cookieOf(headers: Headers): string {
  return cookiesOf(headers);
}

async function isSignedIn(cookie: string): Promise<boolean> {
  return (await new ApiCaller(origin, { cookie }).request("GET", "/v1/workspaces")).status === 200;
}

it("finds the session among thousands of cookies that are not ours, without decoding them", async () => {
  const { cookie, email } = await aPerson(service);
  const browser = new ApiCaller(origin, { cookie: `${"a=%;".repeat(3_000)}${cookie}` });
  const decoded = vi.spyOn(globalThis, "decodeURIComponent");
  onTestFinished(() => decoded.mockRestore());

  const answer = await browser.request("GET", "/api/auth/get-session");

  expect(answer.text).toContain(email);
  expect(decoded.mock.calls.length).toBeLessThan(100);
});

it("keeps people in tables that better-auth finds nothing missing in", async () => {
  const options = authOptions(
    {
      db: database.db,
      secrets: ["a-secret-of-more-than-thirty-two-characters"],
      publicUrl: new URL(origin),
      limits: service.services.limits,
      verifyEmail: false,
      signUp: "open",
      passwords: SCRYPT,
      logger: pino({ level: "silent" }),
    },
    [],
  );

  const { toBeCreated, toBeAdded, unsafeChanges } = await getMigrations(options);

  expect({ toBeCreated, toBeAdded, unsafeChanges }).toEqual({
    toBeCreated: [],
    toBeAdded: [],
    unsafeChanges: [],
  });
});

it("gives a session cookie that scripts cannot read and other sites cannot send", async () => {
  const person = await aPerson(service);

  const { headers } = await signIn(person.email);

  const cookie = headers.getSetCookie().find((one) => one.startsWith("placard.session_token="));
  expect(cookie).toMatch(/; HttpOnly/i);
  expect(cookie).toMatch(/; SameSite=Lax/i);
  expect(cookie).toMatch(/; Path=\//i);
  expect(cookie).not.toMatch(/; Secure/i);
});

it("gives a cookie for https alone where the installation is reached by https", async () => {
  const publicUrl = new URL("https://ads.example.com");
  const people = openPeople({
    db: database.db,
    secrets: ["a-secret-of-more-than-thirty-two-characters"],
    publicUrl,
    limits: service.services.limits,
    verifyEmail: false,
    signUp: "open",
    logger: pino({ level: "silent" }),
  });

  const response = await people.handle(
    new Request("https://ads.example.com/api/auth/sign-up/email", {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl.origin },
      body: JSON.stringify({ name: "Grace Example", email: "grace-https@example.com", password: PASSWORD }),
    }),
  );

  const cookie = response.headers.getSetCookie().find((one) => one.includes("session_token"));
  expect(cookie).toMatch(/^__Secure-placard\.session_token=.*; Secure/i);
  expect(await people.findBySession({ cookie: cookie?.split(";")[0] }, null)).toMatchObject({
    email: "grace-https@example.com",
    member: null,
  });
  expect(people.isOwnOrigin({ origin: "http://ads.example.com" })).toBe(false);
});

it("stores no address and no user agent with a session", async () => {
  const person = await aPerson(service);

  await signIn(person.email, PASSWORD, { "user-agent": "Mozilla/5.0 (tell-tale)" });

  const { rows } = await database.pool.query(
    "select distinct coalesce(ip_address, '') as ip, coalesce(user_agent, '') as agent from sessions",
  );
  expect(rows).toEqual([{ ip: "", agent: "" }]);
});

it("keeps of a browser no more than its owner needs to recognize the session", async () => {
  const person = await aPerson(service);
  const agent =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7 Safari/537.36";

  await signIn(person.email, PASSWORD, { "user-agent": agent });

  const { rows } = await database.pool.query("select user_agent from sessions where user_agent <> ''");
  expect(rows).toEqual([{ user_agent: "Chrome on Linux" }]);
});

it("does not tell an unknown address and a wrong password apart", async () => {
  const person = await aPerson(service);

  const wrong = await signIn(person.email, "not the password");
  const unknown = await signIn("nobody@example.com", "not the password");

  expect(wrong.status).toBe(401);
  const { data: _id, ...said } = envelope.parse(JSON.parse(wrong.text));
  expect(envelope.parse(JSON.parse(unknown.text))).toEqual({
    ...said,
    data: { requestId: expect.any(String) },
  });
  expect(unknown.status).toBe(wrong.status);
  expect(envelope.parse(JSON.parse(wrong.text)).code).toBe("INVALID_EMAIL_OR_PASSWORD");
});

it("lets one of two sign-ups with one address win and answers the other with a conflict at the email", async () => {
  const body = { name: "Grace Example", email: "Twice@example.com", password: PASSWORD };

  const answers = await Promise.all(
    [1, 2, 3].map(() => anybody.request("POST", "/api/auth/sign-up/email", body)),
  );
  const later = await anybody.refused(409, "POST", "/api/auth/sign-up/email", {
    ...body,
    email: "twice@example.com",
  });

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(later.data?.fieldErrors).toEqual({ email: ["This address has an account."] });
});

it("answers bad sign-ups with 422 at the field and stores nothing", async () => {
  const sound = { name: "Grace Example", email: "bad-input@example.com", password: PASSWORD };
  const before = await countOf("people");

  for (const [field, values] of Object.entries({
    name: [undefined, 5, null, "", "   ", "a\u0000b", "\ud800", "x".repeat(81), { toString: 1 }],
    email: [
      undefined,
      5,
      "",
      "nobody",
      "a\u0000@example.com",
      "\udfff@example.com",
      `${"x".repeat(250)}@example.com`,
    ],
    password: [undefined, 5, "", "short", "pass\u0000word", "\ud800 password", "x".repeat(129)],
    rememberMe: ["yes", 1],
  })) {
    for (const value of values) {
      expect(
        await anybody.invalid("POST", "/api/auth/sign-up/email", {
          ...sound,
          [field]: value,
        }),
      ).toEqual([field]);
    }
  }
  expect(await countOf("people")).toBe(before);
});

it("answers a body that is no JSON object, too large or of another type in the envelope", async () => {
  const path = "/api/auth/sign-in/email";

  for (const body of ["{", "null", "[]", '"text"', "{}"]) await anybody.refused(422, "POST", path, body);
  await anybody.refused(413, "POST", path, { email: "x".repeat(1_100_000) });
  const form = await anybody.request("POST", path, "email=a@example.com&password=x", {
    "content-type": "application/x-www-form-urlencoded",
  });
  expect(form.status).toBe(415);
  for (const unknown of [
    "/api/auth/nothing",
    "/api/auth/link-social",
    "/api/auth/%00",
    "/api/auth/delete-user",
  ]) {
    await anybody.refused(404, "POST", unknown, {});
  }
  await anybody.refused(405, "GET", path);
  await anybody.refused(422, "POST", "/api/auth/confirm-account", { token: "\u0000", password: PASSWORD });
});

it.each([
  ["another site's origin", { origin: "https://evil.example" }],
  ["an origin that hides itself", { origin: "null" }],
  ["a page of another site", { "sec-fetch-site": "cross-site" }],
  ["an origin that begins like ours", { origin: `${origin}.evil.example` }],
  ["another port of this host", { origin: "http://127.0.0.1:1" }],
])("takes no POST from %s, neither for people nor for management", async (_what, headers) => {
  const person = await aPerson(service);

  const signingIn = await signIn(person.email, PASSWORD, headers);
  const signingOut = await person.caller.request("POST", "/api/auth/sign-out", {}, headers);
  const creating = await person.caller.request("POST", "/v1/workspaces", { name: "Forged" }, headers);

  expect([signingIn, signingOut, creating].map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(signingIn.headers.getSetCookie()).toEqual([]);
  expect(await isSignedIn(person.cookie)).toBe(true);
});

it("takes POSTs from its own pages and from programs that name no origin", async () => {
  const person = await aPerson(service);

  for (const headers of [{}, { origin }, { origin, "sec-fetch-site": "same-origin" }]) {
    expect((await signIn(person.email, PASSWORD, headers)).status).toBe(200);
    const made = await person.caller.request("POST", "/v1/workspaces", { name: "Sound" }, headers);
    expect(made.status).toBe(200);
  }
});

it("makes a new session at sign-in whatever cookie came along, and believes no cookie it has not signed", async () => {
  const person = await aPerson(service);
  const planted = "placard.session_token=planted-by-somebody.c2lnbmF0dXJl";

  const { headers } = await signIn(person.email, PASSWORD, { cookie: planted, origin });

  expect(cookieOf(headers)).not.toContain("planted-by-somebody");
  expect(await isSignedIn(cookieOf(headers))).toBe(true);
  expect(await isSignedIn(planted)).toBe(false);
  expect(await isSignedIn(person.cookie.replace(/.{6}$/, "AAAAAA"))).toBe(false);
});

it("signs out everywhere at once", async () => {
  const person = await aPerson(service);
  const elsewhere = cookieOf((await signIn(person.email)).headers);

  const answer = await person.caller.request("POST", "/api/auth/revoke-sessions", {});

  expect(answer.status).toBe(200);
  expect([await isSignedIn(person.cookie), await isSignedIn(elsewhere)]).toEqual([false, false]);
});

it("signs out others when the password is changed, and only with the current one", async () => {
  const person = await aPerson(service);
  const elsewhere = cookieOf((await signIn(person.email)).headers);
  const newPassword = "another good password";

  const refused = await person.caller.request("POST", "/api/auth/change-password", {
    currentPassword: "not the password",
    newPassword,
  });
  const changed = await person.caller.request("POST", "/api/auth/change-password", {
    currentPassword: PASSWORD,
    newPassword,
  });

  expect([refused.status, changed.status]).toEqual([400, 200]);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(cookieOf(changed.headers))).toBe(true);
});

it("resets a password by a link that works once and signs out everywhere", async () => {
  const person = await aPerson(service);
  const ask = () => anybody.request("POST", "/api/auth/request-password-reset", { email: person.email });
  await ask();
  const first = tokenIn(await mailTo(service, person.email, "new password"));
  await ask();
  const second = await expect
    .poll(async () => tokenIn(await mailTo(service, person.email, "new password")))
    .not.toBe(first)
    .then(async () => tokenIn(await mailTo(service, person.email, "new password")));
  const reset = (token: string, newPassword = "a password from a mail") =>
    anybody.request("POST", "/api/auth/reset-password", { token, newPassword });

  const used = await reset(first);

  expect(used.status).toBe(200);
  expect((await reset(first)).status).toBe(400);
  expect((await reset(second)).status).toBe(400);
  expect(await isSignedIn(person.cookie)).toBe(false);
  expect((await signIn(person.email)).status).toBe(401);
  expect((await signIn(person.email, "a password from a mail")).status).toBe(200);
});

it("keeps the token of a reset as a hash, and tells nobody whether an address is known", async () => {
  const person = await aPerson(service);
  const ask = (email: string) => anybody.request("POST", "/api/auth/request-password-reset", { email });

  const known = await ask(person.email);
  const unknown = await ask("stranger@example.com");

  const token = tokenIn(await mailTo(service, person.email, "new password"));
  const { rows } = await database.pool.query("select * from verifications");
  expect(JSON.stringify(rows)).not.toContain(token);
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  expect((await service.readMails()).map(({ to }) => to)).not.toContain("stranger@example.com");
});

it("sends one person five links an hour at most", async () => {
  const person = await aPerson(service);

  for (let n = 0; n < 8; n += 1) {
    await anybody.request("POST", "/api/auth/request-password-reset", { email: person.email });
  }

  expect(await mailsTo(service, person.email)).toHaveLength(5);
});
