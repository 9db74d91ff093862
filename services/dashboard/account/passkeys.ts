import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { queryOptions } from "@tanstack/react-query";
import { callPeople } from "../shell/people-api.ts";

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** The passkeys of the signed-in person. */
export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => readPasskeys(await callPeople("GET", "/passkey/list-user-passkeys")),
});

/** Why this browser cannot use passkeys on this page; null if it can. */
export function whyNoPasskeys(): string | null {
  const { hostname, port } = location;
  if (hostname === "127.0.0.1") {
    return `Browsers have passkeys for names alone. Open this page at http://localhost:${port} to use them.`;
  }
  if (!isSecureContext) return "Passkeys need https.";
  return browserSupportsWebAuthn() ? null : "This browser has no passkeys.";
}

/** Creates a passkey on this device. Null if the person canceled. The session has to be fresh. */
export async function createPasskey(name: string): Promise<Passkey | null> {
  const optionsJSON = await callPeople("GET", "/passkey/generate-register-options");
  if (!isCreation(optionsJSON)) throw new Error("the answer has no challenge");
  const response = await unlessCanceled(startRegistration({ optionsJSON }));
  if (response === null) return null;
  const [made] = readPasskeys([await callPeople("POST", "/passkey/verify-registration", { name, response })]);
  return made ?? null;
}

/** Signs in with a passkey that the device finds. The answer begins a session; null when it was canceled. */
export async function signInWithPasskey(): Promise<unknown> {
  const optionsJSON = await callPeople("GET", "/passkey/generate-authenticate-options");
  if (!isRequest(optionsJSON)) throw new Error("the answer has no challenge");
  // Without the owner's fingerprint or PIN it would be one factor alone, which the server refuses.
  const required = { ...optionsJSON, userVerification: "required" as const };
  const response = await unlessCanceled(startAuthentication({ optionsJSON: required }));
  return response === null ? null : await callPeople("POST", "/passkey/verify-authentication", { response });
}

/** Null if the person canceled. Browsers report a device without a passkey in the same way, so there is no message for either. */
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
  return hasChallenge(answer) && "user" in answer;
}

function isRequest(answer: unknown): answer is PublicKeyCredentialRequestOptionsJSON {
  return hasChallenge(answer);
}

function hasChallenge(answer: unknown): answer is { readonly challenge: string } {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "challenge" in answer &&
    typeof answer.challenge === "string"
  );
}

/** The passkeys in an answer of better-auth; what is none is left out. */
export function readPasskeys(answer: unknown): Passkey[] {
  return Array.isArray(answer) ? answer.flatMap(readPasskey) : [];
}

function readPasskey(value: unknown): Passkey[] {
  if (typeof value !== "object" || value === null) return [];
  if (!("id" in value && "name" in value && "createdAt" in value)) return [];
  const { id, name, createdAt } = value;
  if (typeof id !== "string" || typeof createdAt !== "string") return [];
  return [{ id, name: typeof name === "string" ? name : "Passkey", createdAt }];
}
