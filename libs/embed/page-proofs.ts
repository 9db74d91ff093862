/** Proofs per page. A page that scrolls without end forgets the oldest. */
const MOST_PROOFS = 500;

declare global {
  // Global, because a page may have several copies of this code: one may report an ad that another fetched.
  var placardProofs: Map<string, string> | undefined;
}

/** Remembers the proof that an ad was handed out to this page, in place of an earlier one. */
export function rememberProof(base: string, adId: string, proof: unknown): void {
  if (typeof proof !== "string") return;
  globalThis.placardProofs ??= new Map();
  const proofs = globalThis.placardProofs;
  const key = base + adId;
  proofs.delete(key);
  proofs.set(key, proof);
  const [oldest] = proofs.keys();
  if (proofs.size > MOST_PROOFS && oldest !== undefined) proofs.delete(oldest);
}

/** The newest proof of an ad on this page. */
export function proofOf(base: string, adId: string): string | undefined {
  return globalThis.placardProofs?.get(base + adId);
}
