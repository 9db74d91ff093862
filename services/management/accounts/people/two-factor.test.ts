import { afterAll, expect, it, vi } from "vitest";
import { codeFor } from "#libs/testing/authenticator-app.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo, tokenIn } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import {
  askForSecret,
  cookiesOf,
  isSignedIn,
  PASSWORD,
  sendCode,
  sendPassword,
  sendRecoveryCode,
  switchTwoFactorOn,
} from "../../tests/signing-in.ts";
import { aPerson, aPublisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const PERIOD_MS = 30_000;

vi.useFakeTimers({ toFake: ["Date"] });
afterAll(() => {
  vi.useRealTimers();
});

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** Somebody with two-factor sign-in, whose next code is a new one. */
async function aCarefulPerson() {
  const person = await switchTwoFactorOn(service, await aPerson(service));
  pass(PERIOD_MS);
  return person;
}

function codeNow({ otpauth }: { readonly otpauth: string }): string {
  return codeFor(otpauth, Date.now());
}

async function rowOf(email: string) {
  const { rows } = await service.database.pool.query(
    "select f.* from two_factors f join people p on p.id = f.person_id where p.email = $1",
    [email],
  );
  return rows[0];
}

it("asks for a code after the password, and gives a session only then", async () => {
  const person = await aCarefulPerson();

  const challenge = await sendPassword(service, person.email);
  const { status, cookie } = await sendCode(service, challenge.cookie, codeNow(person));

  expect(JSON.parse(challenge.text)).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
  expect(challenge.cookie).not.toContain("session_token");
  expect(await isSignedIn(service, challenge.cookie)).toBe(false);
  expect(status).toBe(200);
  expect(await isSignedIn(service, cookie)).toBe(true);
});

it("asks for nothing more before a first code has shown that the authenticator works", async () => {
  const person = await aPerson(service);
  const { totpURI } = await askForSecret(person);

  const wrong = await sendCode(service, person.cookie, codeFor(totpURI, Date.now() + 10 * PERIOD_MS));
  const { cookie } = await sendPassword(service, person.email);

  expect(wrong.refusal).toBe("INVALID_CODE");
  expect(await isSignedIn(service, cookie)).toBe(true);
});

it("is switched on with the right password alone", async () => {
  const person = await aPerson(service);

  const { code } = await person.caller.refused(400, "POST", "/api/auth/two-factor/enable", {
    password: "not the password",
  });

  expect(code).toBe("INVALID_PASSWORD");
  expect(await rowOf(person.email)).toBeUndefined();
});

it("names the installation and the person in what the authenticator is given", async () => {
  const person = await aPerson(service);

  const { totpURI, backupCodes } = await askForSecret(person);

  const { protocol, host, pathname, searchParams } = new URL(totpURI);
  expect([protocol, host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(pathname)).toBe(`/Placard (127.0.0.1):${person.email}`);
  expect(searchParams.get("issuer")).toBe("Placard (127.0.0.1)");
  expect(backupCodes).toHaveLength(10);
  expect(new Set(backupCodes).size).toBe(10);
});

it("keeps neither the secret nor the recovery codes in a form that can be read", async () => {
  const person = await aCarefulPerson();

  const row = JSON.stringify(await rowOf(person.email));

  for (const code of person.recoveryCodes) expect(row).not.toContain(code);
  expect(row).not.toContain(new URL(person.otpauth).searchParams.get("secret"));
  expect(row).not.toMatch(/"secret":"[A-Za-z0-9]{32}"/);
});

it("takes a code once, even when it is sent twice at the same time", async () => {
  const person = await aCarefulPerson();
  const code = codeNow(person);
  const challenges = await Promise.all([1, 2, 3].map(() => sendPassword(service, person.email)));

  const answers = await Promise.all(challenges.map(({ cookie }) => sendCode(service, cookie, code)));
  const later = await sendCode(service, (await sendPassword(service, person.email)).cookie, code);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  expect(later.refusal).toBe("INVALID_CODE");
});

it("takes no code that was used to switch it on, and none that is older than one used before", async () => {
  const person = await switchTwoFactorOn(service, await aPerson(service));
  const challenge = await sendPassword(service, person.email);

  const used = await sendCode(service, challenge.cookie, codeNow(person));
  const older = await sendCode(service, challenge.cookie, codeFor(person.otpauth, Date.now() - PERIOD_MS));
  pass(PERIOD_MS);
  const next = await sendCode(service, challenge.cookie, codeNow(person));

  expect([used.refusal, older.refusal, next.refusal]).toEqual(["INVALID_CODE", "INVALID_CODE", null]);
});

it("takes a code of a clock that is half a minute off, and none that is two minutes old", async () => {
  const person = await aCarefulPerson();
  pass(10 * PERIOD_MS);
  const challenge = await sendPassword(service, person.email);

  const old = await sendCode(service, challenge.cookie, codeFor(person.otpauth, Date.now() - 4 * PERIOD_MS));
  const slow = await sendCode(service, challenge.cookie, codeFor(person.otpauth, Date.now() - PERIOD_MS));

  expect([old.refusal, slow.refusal]).toEqual(["INVALID_CODE", null]);
});

it("takes each recovery code once, in place of a code, and tells its person", async () => {
  const person = await aCarefulPerson();
  const [first = "", second = ""] = person.recoveryCodes;
  const signInWith = async (code: string) =>
    await sendRecoveryCode(service, (await sendPassword(service, person.email)).cookie, code);

  const used = await signInWith(first);
  const again = await signInWith(first);
  const other = await signInWith(second);

  expect([used.refusal, again.refusal, other.refusal]).toEqual([null, "INVALID_BACKUP_CODE", null]);
  expect(await isSignedIn(service, used.cookie)).toBe(true);
  expect((await mailTo(service, person.email, "recovery code was used")).text).toContain("/account");
});

it("replaces recovery codes with the password; the ones before are worth nothing then", async () => {
  const person = await aCarefulPerson();
  const [old = ""] = person.recoveryCodes;
  const path = "/api/auth/two-factor/generate-backup-codes";

  const refused = await person.caller.refused(400, "POST", path, { password: "not the password" });
  const { text } = await person.caller.request("POST", path, { password: PASSWORD });

  const { cookie } = await sendPassword(service, person.email);
  const {
    backupCodes: [fresh],
  } = JSON.parse(text);
  expect(refused.code).toBe("INVALID_PASSWORD");
  expect((await sendRecoveryCode(service, cookie, old)).refusal).toBe("INVALID_BACKUP_CODE");
  expect((await sendRecoveryCode(service, cookie, fresh)).refusal).toBeNull();
});

it("ends a sign-in after 5 wrong codes", async () => {
  const person = await aCarefulPerson();
  const { cookie } = await sendPassword(service, person.email);

  const refusals: (string | null)[] = [];
  for (let n = 0; n < 6; n += 1) {
    refusals.push((await sendCode(service, cookie, codeFor(person.otpauth, Date.now() + 1e7))).refusal);
  }
  const right = await sendCode(service, cookie, codeNow(person));

  expect(refusals).toEqual([...Array(5).fill("INVALID_CODE"), "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"]);
  expect(right.refusal).toBe("INVALID_TWO_FACTOR_COOKIE");
});

it("makes a person wait for 15 minutes after 10 wrong codes in a row, over all their sign-ins", async () => {
  const person = await aCarefulPerson();
  for (let n = 0; n < 10; n += 1) {
    const { cookie } = await sendPassword(service, person.email);
    const send = n % 2 === 0 ? sendCode : sendRecoveryCode;
    await send(service, cookie, "000000");
  }
  const signInNow = async () =>
    await sendCode(service, (await sendPassword(service, person.email)).cookie, codeNow(person));

  const locked = await signInNow();
  pass(15 * 60_000);
  const later = await signInNow();

  expect([locked.status, locked.refusal]).toEqual([429, "ACCOUNT_TEMPORARILY_LOCKED"]);
  expect(later.refusal).toBeNull();
});

it("lets a sign-in wait 10 minutes for its code", async () => {
  const person = await aCarefulPerson();
  const { cookie } = await sendPassword(service, person.email);

  pass(10 * 60_000 + 1);

  expect((await sendCode(service, cookie, codeNow(person))).refusal).toBe("INVALID_TWO_FACTOR_COOKIE");
});

it("takes no code of another person, and no code without a password first", async () => {
  const mine = await aCarefulPerson();
  const theirs = await aCarefulPerson();
  const { cookie } = await sendPassword(service, theirs.email);

  const foreign = await sendCode(service, cookie, codeNow(mine));
  const bare = await sendCode(service, "", codeNow(mine));
  const forged = await sendCode(service, cookie.replace(/two_factor=\w/, "two_factor=_"), codeNow(theirs));

  expect(foreign.refusal).toBe("INVALID_CODE");
  expect([bare.refusal, forged.refusal]).toEqual(["INVALID_TWO_FACTOR_COOKIE", "INVALID_TWO_FACTOR_COOKIE"]);
});

it("stays on when the holder of a verified address chooses the password again by a mail", async () => {
  const person = await aCarefulPerson();
  // An address that was never verified may belong to somebody else than the person who signed up with it.
  await service.database.pool.query("update people set email_verified = true where email = $1", [
    person.email,
  ]);
  const anybody = new ApiCaller(service.origin);
  await anybody.request("POST", "/api/auth/request-password-reset", { email: person.email });
  const token = tokenIn(await mailTo(service, person.email, "new password"));

  await anybody.request("POST", "/api/auth/reset-password", { token, newPassword: "another good password" });

  const { text } = await sendPassword(service, person.email, "another good password");
  expect(JSON.parse(text)).toMatchObject({ twoFactorRedirect: true });
});

it("is switched off with the password alone, and tells its person of both", async () => {
  const person = await aCarefulPerson();
  const path = "/api/auth/two-factor/disable";

  const refused = await person.caller.refused(400, "POST", path, { password: "not the password" });
  const done = await person.caller.request("POST", path, { password: PASSWORD });

  expect([refused.code, done.status]).toEqual(["INVALID_PASSWORD", 200]);
  expect(await rowOf(person.email)).toBeUndefined();
  const { cookie } = await sendPassword(service, person.email);
  expect(await isSignedIn(service, cookie)).toBe(true);
  expect(await mailTo(service, person.email, "turned on")).toBeDefined();
  expect((await mailTo(service, person.email, "turned off")).text).toContain(
    "change your password immediately",
  );
});

it("lets API keys of its person work as before", async () => {
  const publisher = await aPublisher(service);

  await switchTwoFactorOn(service, publisher.person);

  expect((await publisher.caller.request("GET", publisher.path)).status).toBe(200);
});

it("keeps the wish not to be remembered through the second step", async () => {
  const person = await aCarefulPerson();
  const challenge = await new ApiCaller(service.origin).request("POST", "/api/auth/sign-in/email", {
    email: person.email,
    password: PASSWORD,
    rememberMe: false,
  });
  const cookie = cookiesOf(challenge.headers);

  const { headers } = await sendCode(service, cookie, codeNow(person));

  const session = headers.getSetCookie().find((one) => one.startsWith("placard.session_token="));
  expect(session).toBeDefined();
  expect(session).not.toMatch(/max-age|expires/i);
});
