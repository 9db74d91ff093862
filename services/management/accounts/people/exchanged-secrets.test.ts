import { afterAll, expect, it, vi } from "vitest";
import { codeFor } from "#libs/testing/authenticator-app.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import {
  isSignedIn,
  PASSWORD,
  sendCode,
  sendPassword,
  sendRecoveryCode,
  switchTwoFactorOn,
} from "../../tests/signing-in.ts";
import { aPerson } from "../../tests/story.ts";

const OLD = "an-old-secret-of-more-than-thirty-two-characters";
const NEW = "a-new-secret-of-more-than-thirty-two-characters";
const PERIOD_MS = 30_000;

// One installation, by the steps of an exchange.
const before = await startManagement({ secrets: [OLD], unlimited: true });
const beside = before;
const prepared = await startManagement({ secrets: [OLD, NEW], unlimited: true, hasJobs: false, beside });
const exchanged = await startManagement({ secrets: [NEW, OLD], unlimited: true, hasJobs: false, beside });
const after = await startManagement({ secrets: [NEW], unlimited: true, hasJobs: false, beside });

vi.useFakeTimers({ toFake: ["Date"] });
afterAll(() => {
  vi.useRealTimers();
});

/** Somebody who set two-factor sign-in up before the exchange. */
async function aCarefulPerson() {
  return await switchTwoFactorOn(before, await aPerson(before));
}

/** The next code, which nobody has used. */
function nextCode({ otpauth }: { readonly otpauth: string }): string {
  vi.setSystemTime(Date.now() + PERIOD_MS);
  return codeFor(otpauth, Date.now());
}

it("keeps people signed in while their cookie's secret is accepted", async () => {
  const { cookie } = await aPerson(before);
  const later = await aPerson(exchanged);

  const known = await Promise.all([prepared, exchanged, after].map((service) => isSignedIn(service, cookie)));
  const knownLater = await Promise.all(
    [before, prepared, after].map((service) => isSignedIn(service, later.cookie)),
  );

  expect(known).toEqual([true, true, false]);
  expect(knownLater).toEqual([false, true, true]);
});

it("renews a session in the browser, under the first secret", async () => {
  const { cookie, email } = await aPerson(before);
  await before.database.pool.query(
    "update sessions set expires_at = $2 from people where people.id = person_id and email = $1",
    [email, new Date(Date.now() + 28 * 86_400_000)],
  );

  const answer = await new ApiCaller(exchanged.origin, { cookie }).request("GET", "/api/auth/get-session");

  const [renewed = ""] = answer.headers.getSetCookie().filter((one) => one.includes("session_token"));
  expect(await isSignedIn(after, renewed.split(";")[0] ?? "")).toBe(true);
});

it("takes the codes of an authenticator while its secret is accepted, also in the middle of a sign-in", async () => {
  const person = await aCarefulPerson();

  const refused = await sendCode(
    after,
    (await sendPassword(after, person.email)).cookie,
    nextCode(person),
  ).catch(() => null);
  const challenge = await sendPassword(prepared, person.email);
  const signedIn = await sendCode(exchanged, challenge.cookie, nextCode(person));
  // A process that is not exchanged yet takes it as well.
  const back = await sendCode(
    prepared,
    (await sendPassword(prepared, person.email)).cookie,
    nextCode(person),
  );

  expect(refused?.status).not.toBe(200);
  expect([signedIn.status, back.status]).toEqual([200, 200]);
});

it("moves second factors to the first secret when they are used, and all of them at a start", async () => {
  const [used, unused] = [await aCarefulPerson(), await aCarefulPerson()];
  await sendCode(exchanged, (await sendPassword(exchanged, used.email)).cookie, nextCode(used));

  const atUse = await sendCode(after, (await sendPassword(after, used.email)).cookie, nextCode(used));
  const renewed = await exchanged.services.people.renewSecondFactors();
  const again = await exchanged.services.people.renewSecondFactors();
  const { cookie } = await sendPassword(after, unused.email);
  const recovered = await sendRecoveryCode(after, cookie, unused.recoveryCodes[0] ?? "");

  expect(atUse.status).toBe(200);
  expect(renewed).toBeGreaterThan(0);
  expect(again).toBe(0);
  expect(recovered.status).toBe(200);
});

it("confirms an address by a link from before the exchange, while its secret is accepted", async () => {
  const old = await startManagement({
    secrets: [OLD],
    verifyEmail: true,
    unlimited: true,
    hasJobs: false,
    beside,
  });
  const both = await startManagement({
    secrets: [NEW, OLD],
    verifyEmail: true,
    unlimited: true,
    hasJobs: false,
    beside,
  });
  const email = "ida@example.org";
  await new ApiCaller(old.origin).request("POST", "/api/auth/sign-up/email", {
    name: "Ida",
    email,
    password: PASSWORD,
  });
  const token =
    /\/confirm-account\S*#token=(\S+)/.exec((await mailTo(old, email, "Confirm")).text)?.[1] ?? "";
  const confirm = async ({ origin }: typeof old) =>
    (await new ApiCaller(origin).request("POST", "/api/auth/confirm-account", { token, password: PASSWORD }))
      .status;

  expect(await confirm(after)).toBe(400);
  expect(await confirm(both)).toBe(200);
});
