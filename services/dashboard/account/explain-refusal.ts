import { codeOf } from "../shell/problems.ts";

const SENTENCES: Readonly<Record<string, string>> = {
  INVALID_PASSWORD: "The password is wrong.",
  INVALID_CODE: "That code is wrong or was used before. Wait for the next one.",
  INVALID_BACKUP_CODE: "That recovery code is wrong or was used before.",
  INVALID_TWO_FACTOR_COOKIE: "This took too long or too many tries. Sign in again.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Sign in again.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Wait for 15 minutes, then try again.",
  INVALID_TOKEN: "This link has expired, was used before or belongs to another account.",
  PASSKEY_NOT_FOUND: "This passkey is not known here. It may have been removed from your account.",
  AUTHENTICATION_FAILED: "The passkey could not be checked. Try again.",
  FAILED_TO_VERIFY_REGISTRATION: "The passkey could not be checked. Try again.",
  CHALLENGE_NOT_FOUND: "This took too long. Try again.",
};

/** Explains a refusal of the API to the person; null if its own message is good enough. */
export function explainRefusal(error: unknown): string | null {
  const code = codeOf(error);
  return code === null ? null : (SENTENCES[code] ?? null);
}
