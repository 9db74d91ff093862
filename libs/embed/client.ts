import { adsAddress } from "./ads-address.ts";
import { placeOf } from "./page-place.ts";
import { proofOf, rememberProof } from "./page-proofs.ts";
import type { Ad, AdRequest } from "./types/embed.d.mts";
import { webAddress } from "./web-address.ts";

/** A later answer is of no use to the reader of the page. */
const ANSWER_WITHIN_MS = 8_000;

/** Without cookies, and without telling which page asks. */
export const ANONYMOUS: RequestInit = { credentials: "omit", referrerPolicy: "no-referrer" };

/** Rejects with a message that has the status unless the answer is 200. `base` as for `adsAddress`. */
export async function fetchAds(base: string, request: AdRequest, signal?: AbortSignal): Promise<Ad[]> {
  const answer = await ask(adsAddress(base, request), {}, signal);
  if (answer.status !== 200) throw new Error(`Placard answered ${answer.status}.`);
  const given: (Partial<Ad> | null)[] = [answer.body.ads ?? null].flat();
  const ads = given.filter(isAd);
  for (const { id, proof } of ads) rememberProof(base, id, proof);
  return ads;
}

/** See `trackClick` in `types/embed.d.mts`. */
export function sendClick(base: string, adId: string, placement?: string, proof?: string): boolean {
  const address = eventAddress(base, adId, "clicks", placeOf(placement), proof);
  // Where the browser sends no beacon, `keepalive` lets a request outlive the page too.
  if (!sendBeacon(address)) ask(address, { method: "POST", keepalive: true }).catch(() => undefined);
  return true;
}

/** False where the browser has no beacons, or does not let this one out. */
export function sendBeacon(address: string, body?: string): boolean {
  try {
    return navigator.sendBeacon(address, body);
  } catch {
    return false;
  }
}

/** `place` is from `placeOf`. With the given proof, or else the one that came with the ad. */
export function eventAddress(
  base: string,
  adId: string,
  events: "impressions" | "clicks",
  place: string,
  proof = proofOf(base, adId),
): string {
  const address = `${base}v1/ads/${encodeURIComponent(adId)}/${events}?${place}`;
  return proof === undefined ? address : `${address}&proof=${encodeURIComponent(proof)}`;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Rejects when there is no answer in time. */
export async function ask(address: string, init: RequestInit, signal?: AbortSignal): Promise<Answer> {
  const controller = new AbortController();
  const giveUp = () => controller.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp);
  const timer = setTimeout(() => controller.abort(), ANSWER_WITHIN_MS);
  try {
    const response = await fetch(address, { ...ANONYMOUS, ...init, signal: controller.signal });
    return { status: response.status, body: await response.json().catch(() => ({})) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

/** Whether the ad can be shown. Its link must be a web address, not a script. */
function isAd(given: Partial<Ad> | null): given is Ad {
  return (
    typeof given?.id === "string" && typeof given.name === "string" && webAddress(given.websiteUrl) !== null
  );
}
