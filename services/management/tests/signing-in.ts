import { z } from "zod";
import { codeFor } from "#libs/testing/authenticator-app.ts";
import { ApiCaller } from "./callers.ts";
import { envelope } from "./envelope.ts";
import type { ManagementUnderTest } from "./management.ts";
import type { aPerson } from "./story.ts";

export const PASSWORD = "correct horse battery";

export type SignedIn = Awaited<ReturnType<typeof aPerson>>;

/** The cookies of an answer, as a browser sends them back. Those that it takes away are left out. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .filter((one) => !/max-age=0/i.test(one))
    .map((one) => one.split(";")[0])
    .join("; ");
}

/** Sends a password; `cookie` is of the session, or of the challenge where there is a second factor. */
export async function sendPassword(service: ManagementUnderTest, email: string, password = PASSWORD) {
  const answer = await new ApiCaller(service.origin).request("POST", "/api/auth/sign-in/email", {
    email,
    password,
  });
  return { ...answer, cookie: cookiesOf(answer.headers) };
}

/** Whether these cookies are of a session. */
export async function isSignedIn({ origin }: ManagementUnderTest, cookie: string): Promise<boolean> {
  return (await new ApiCaller(origin, { cookie }).request("GET", "/v1/workspaces")).status === 200;
}

const enabled = z.object({
  method: z.literal("totp"),
  totpURI: z.string(),
  backupCodes: z.array(z.string()),
});

/** Asks for a secret of an authenticator, which is not used yet. */
export async function askForSecret({ caller }: SignedIn): Promise<z.infer<typeof enabled>> {
  return await caller.ok(enabled, "POST", "/api/auth/two-factor/enable", { password: PASSWORD });
}

/** Switches two-factor sign-in on at the present time. Its person's session has another cookie afterwards. */
export async function switchTwoFactorOn(service: ManagementUnderTest, person: SignedIn) {
  const { totpURI, backupCodes } = await askForSecret(person);
  const { cookie } = await sendCode(service, person.cookie, codeFor(totpURI, Date.now()));
  const caller = new ApiCaller(service.origin, { cookie });
  return { ...person, cookie, caller, otpauth: totpURI, recoveryCodes: backupCodes };
}

/** Sends a code of an authenticator, as the second step of signing in. */
export async function sendCode(service: ManagementUnderTest, cookie: string, code: string) {
  return await sendSecondFactor(service, cookie, "verify-totp", code);
}

/** Sends a recovery code in its place. */
export async function sendRecoveryCode(service: ManagementUnderTest, cookie: string, code: string) {
  return await sendSecondFactor(service, cookie, "verify-backup-code", code);
}

async function sendSecondFactor({ origin }: ManagementUnderTest, cookie: string, kind: string, code: string) {
  const caller = new ApiCaller(origin, { cookie });
  const answer = await caller.request("POST", `/api/auth/two-factor/${kind}`, { code });
  const refusal = answer.status === 200 ? null : envelope.parse(JSON.parse(answer.text)).code;
  return { ...answer, refusal, cookie: cookiesOf(answer.headers) };
}
