import { z } from "zod";
import { email, text, trimmedText } from "#libs/contract/text.ts";
import { LONGEST, SHORTEST } from "#libs/domain/limits.ts";
import { hasNoCertificates } from "./attestation.ts";

/** An endpoint of better-auth that we mount; all others answer 404. */
export interface PeopleEndpoint {
  readonly method: "GET" | "POST";
  /** Below `/api/auth`. */
  readonly path: `/${string}`;
  /** Whether a caller could guess passwords, tokens or addresses with it, so that it is limited per network address. */
  readonly guessable: boolean;
  /** Whether it writes a row: each POST, and a challenge. */
  readonly writes: boolean;
  /** What it answers to callers without any of our cookies, if that is always the same. */
  readonly signedOut?: "null" | "401";
  /** The body of a POST, the query of a GET; other members are removed. */
  readonly input: z.ZodType<Record<string, unknown>>;
}

const nothing = z.object({});
const password = text(LONGEST.password);
const newPassword = password.min(SHORTEST.password);
const token = text(2048);
/** The demo's publisher has an address in `.invalid`, and nobody else may take it for theirs. */
const reachable = email.refine((address) => !/\.invalid$/i.test(address), "No mail can reach this address.");
/** The page to show afterwards; better-auth accepts only URLs of this site. */
const callbackURL = text(2048).optional();

const passkeyName = trimmedText(1, LONGEST.name);
/** Data of an authenticator in base64url (WebAuthn, `PublicKeyCredential.toJSON()`). */
const binary = text(8192);
const credential = { id: text(1400), rawId: text(1400), type: z.literal("public-key") };
const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    attestationObject: binary.refine(hasNoCertificates, "Must be an attestation without certificates."),
    transports: z.array(text(20)).max(10).optional(),
  }),
  clientExtensionResults: nothing,
});
const authentication = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: text(128).optional(),
  }),
  clientExtensionResults: nothing,
});

export const PEOPLE_ENDPOINTS: readonly PeopleEndpoint[] = [
  get("/sign-up", nothing),
  post("/sign-up/email", "guessable", {
    name: trimmedText(1, LONGEST.name),
    email: reachable,
    password: newPassword,
    /** The token of the invitation or of the set-up link, where not everybody may sign up. */
    token: text(200).optional(),
    rememberMe: z.boolean().optional(),
    callbackURL,
  }),
  post("/sign-in/email", "guessable", { email, password, rememberMe: z.boolean().optional() }),
  post("/sign-out", "plain", {}),
  { ...get("/get-session", nothing), signedOut: "null" },
  { ...get("/list-sessions", nothing), signedOut: "401" },
  post("/revoke-session", "plain", { token }),
  post("/revoke-sessions", "plain", {}),
  post("/revoke-other-sessions", "plain", {}),
  post("/update-user", "plain", { name: trimmedText(1, LONGEST.name) }),
  post("/change-password", "guessable", {
    currentPassword: password,
    newPassword,
    revokeOtherSessions: z.boolean().default(true),
  }),
  post("/request-password-reset", "guessable", { email }),
  post("/reset-password", "guessable", { token, newPassword }),
  post("/send-verification-email", "guessable", { email, callbackURL }),
  post("/confirm-account", "guessable", { token, password }),
  post("/email-change/request", "guessable", { newEmail: reachable, password }),
  post("/email-change/confirm", "guessable", { token }),
  post("/confirm-password", "guessable", { password }),
  post("/two-factor/enable", "guessable", { password }),
  post("/two-factor/disable", "guessable", { password }),
  post("/two-factor/generate-backup-codes", "guessable", { password }),
  post("/two-factor/verify-totp", "guessable", { code: text(6) }),
  post("/two-factor/verify-backup-code", "guessable", { code: text(20) }),
  { ...get("/passkey/list-user-passkeys", nothing), signedOut: "401" },
  get("/passkey/generate-register-options", nothing, "writing"),
  post("/passkey/verify-registration", "guessable", { name: passkeyName, response: registration }),
  post("/passkey/update-passkey", "plain", { id: text(80), name: passkeyName }),
  post("/passkey/delete-passkey", "plain", { id: text(80) }),
  get("/passkey/generate-authenticate-options", nothing, "guessable"),
  post("/passkey/verify-authentication", "guessable", { response: authentication }),
];

function post(
  path: PeopleEndpoint["path"],
  kind: "guessable" | "plain",
  shape: z.core.$ZodShape,
): PeopleEndpoint {
  return { method: "POST", path, guessable: kind === "guessable", writes: true, input: z.object(shape) };
}

function get(
  path: PeopleEndpoint["path"],
  input: PeopleEndpoint["input"],
  kind: "guessable" | "writing" | "plain" = "plain",
): PeopleEndpoint {
  return { method: "GET", path, guessable: kind === "guessable", writes: kind === "writing", input };
}
