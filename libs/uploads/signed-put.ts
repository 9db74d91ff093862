import { createHmac, timingSafeEqual } from "node:crypto";

/** All that a grant binds, as it stands in the address. */
export interface PutClaims {
  readonly key: string;
  readonly contentType: string;
  /** Bytes, in decimal. */
  readonly contentLength: string;
  /** Seconds since the epoch, in decimal. */
  readonly expires: string;
}

/** HMAC-SHA256 of the claims, in base64url. The first word keeps it apart from whatever else the secret may sign. */
export function signPut(secret: string, claims: PutClaims): string {
  const { key, contentType, contentLength, expires } = claims;
  const message = JSON.stringify(["upload", "PUT", key, contentType, contentLength, expires]);
  return createHmac("sha256", secret).update(message).digest("base64url");
}

/** Whether the signature is ours and the grant has not run out at `now`, in milliseconds since the epoch. */
export function isPutGranted(secret: string, claims: PutClaims, signature: string, now: number): boolean {
  const expected = Buffer.from(signPut(secret, claims));
  const given = Buffer.from(signature);
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    now < Number(claims.expires) * 1000
  );
}
