import { hkdfSync } from "node:crypto";
import { deriveRing, type KeyRing } from "#libs/installation/index.ts";

/** What an installation keeps to itself. Each is made from 32 random bytes, or as good as. */
export interface Secrets {
  /** Sign session cookies and links in emails, and encrypt second factors. */
  readonly sessions: KeyRing;
  /** Keys the rotation, so that nobody outside can compute who comes first. */
  readonly rotation: string;
  /** Key the proofs that ads were handed out. */
  readonly proofs: KeyRing;
  /** The sandbox's API key, of the sandbox's own process and of its operator. */
  readonly sandboxKey: string;
  /** Sign the sandbox's webhooks. */
  readonly sandboxWebhooks: KeyRing;
}

const BYTES = 32;

/** The secrets of an installation of several processes with the same keys. None reveals a key or another secret. */
export function deriveSecrets(secretKeys: KeyRing): Secrets {
  const derive = (label: string) => (secretKey: string) =>
    Buffer.from(hkdfSync("sha256", secretKey, "", `placard ${label}`, BYTES)).toString("base64url");
  return {
    sessions: deriveRing(secretKeys, derive("sessions")),
    rotation: derive("rotation")(secretKeys[0]),
    proofs: deriveRing(secretKeys, derive("proofs")),
    sandboxKey: `sk_test_${derive("sandbox key")(secretKeys[0])}`,
    sandboxWebhooks: deriveRing(secretKeys, (key) => `whsec_${derive("sandbox webhooks")(key)}`),
  };
}
