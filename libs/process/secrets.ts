import { hkdfSync } from "node:crypto";

/** What an installation keeps to itself. Each is made from 32 random bytes, or as good as. */
export interface Secrets {
  /** Signs session cookies. */
  readonly sessions: string;
  /** Keys the rotation, so that nobody outside can compute who comes first. */
  readonly rotation: string;
  /** Keys the proofs that ads were handed out. */
  readonly proofs: string;
  /** The sandbox's API key, and what its webhooks are signed with. */
  readonly sandboxKey: string;
  readonly sandboxWebhooks: string;
}

const BYTES = 32;

/** The secrets of an installation of several processes with the same key. None reveals the key or another secret. */
export function deriveSecrets(secretKey: string): Secrets {
  const derive = (label: string) =>
    Buffer.from(hkdfSync("sha256", secretKey, "", `placard ${label}`, BYTES)).toString("base64url");
  return {
    sessions: derive("sessions"),
    rotation: derive("rotation"),
    proofs: derive("proofs"),
    sandboxKey: `sk_test_${derive("sandbox key")}`,
    sandboxWebhooks: `whsec_${derive("sandbox webhooks")}`,
  };
}
