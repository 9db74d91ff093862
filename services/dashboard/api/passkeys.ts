import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { queryOptions } from "@tanstack/react-query";
import { callAuth, valueIn } from "./auth-api.ts";

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** The passkeys of the signed-in person. */
export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => readPasskeys(await callAuth("GET", "/passkey/list-user-passkeys")),
});

/** Why this browser cannot use passkeys on this page; null if it can. */
export function whyNoPasskeys(): string | null {
  const { hostname, port } = location;
  if (hostname === "127.0.0.1") {
    return `Browsers support passkeys for host names only. Open this page at http://localhost:${port} to use them.`;
  }
  if (!isSecureContext) return "Passkeys require https.";
  return browserSupportsWebAuthn() ? null : "This browser doesn’t support passkeys.";
}

/** Creates a passkey on this device; null if the person canceled. Needs a fresh session. */
export async function createPasskey(name: string): Promise<Passkey | null> {
  const optionsJSON = await callAuth("GET", "/passkey/generate-register-options");
  if (!isCreation(optionsJSON)) throw new Error("the answer has no challenge");
  const response = await unlessCanceled(startRegistration({ optionsJSON }));
  if (response === null) return null;
  const [made] = readPasskeys([await callAuth("POST", "/passkey/verify-registration", { name, response })]);
  return made ?? null;
}

/** Signs in with a passkey of this device. Returns the response that starts a session; null if canceled. */
export async function signInWithPasskey(): Promise<unknown> {
  const optionsJSON = await callAuth("GET", "/passkey/generate-authenticate-options");
  if (!isRequest(optionsJSON)) throw new Error("the answer has no challenge");
  // Without a fingerprint or PIN it would be only one factor, which the server rejects.
  const required = { ...optionsJSON, userVerification: "required" as const };
  const response = await unlessCanceled(startAuthentication({ optionsJSON: required }));
  return response === null ? null : await callAuth("POST", "/passkey/verify-authentication", { response });
}

/** Null if the person canceled. Browsers report a device without a passkey in the same way. */
async function unlessCanceled<Response>(ceremony: Promise<Response>): Promise<Response | null> {
  try {
    return await ceremony;
  } catch (error) {
    const cause = error instanceof WebAuthnError ? error.cause : error;
    if (cause instanceof Error && (cause.name === "NotAllowedError" || cause.name === "AbortError"))
      return null;
    throw error;
  }
}

function isCreation(answer: unknown): answer is PublicKeyCredentialCreationOptionsJSON {
  return isRequest(answer) && "user" in answer;
}

function isRequest(answer: unknown): answer is PublicKeyCredentialRequestOptionsJSON {
  return typeof valueIn(answer, "challenge") === "string";
}

/** The passkeys in a response of better-auth, without invalid entries. */
function readPasskeys(answer: unknown): Passkey[] {
  return Array.isArray(answer) ? answer.flatMap(readPasskey) : [];
}

function readPasskey(value: unknown): Passkey[] {
  const [id, name, createdAt] = ["id", "name", "createdAt"].map((key) => valueIn(value, key));
  if (typeof id !== "string" || typeof createdAt !== "string") return [];
  return [{ id, name: typeof name === "string" ? name : "Passkey", createdAt }];
}
