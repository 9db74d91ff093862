import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";

/**
 * Whether an attestation object (WebAuthn, in base64url) has no certificates: we ask for none, and devices at most sign for themselves
 * then. better-auth would check any certificates, and ask the addresses that they name for revoked ones, whatever these addresses
 * are and however much they answer.
 */
export function hasNoCertificates(attestationObject: string): boolean {
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = decoded.get("fmt");
    return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}
