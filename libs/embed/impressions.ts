import { MOST_REPORTED } from "#libs/domain/serving-limits.ts";
import { ANONYMOUS, ask, eventAddress, sendBeacon } from "./client.ts";
import { placeOf } from "./page-place.ts";
import { proofOf } from "./page-proofs.ts";

/** Ads of one place that are seen within this time go into one request. */
const GATHERED_FOR_MS = 1_000;
const PAUSES_MS = [1_000, 3_000];
/**
 * Repetitions end this long after the first report. The service may have stored a report that it did not answer, and recognizes the
 * repetition as a duplicate for ten seconds only.
 */
const AGAIN_WITHIN_MS = 9_500;

interface Seen {
  readonly id: string;
  readonly proof: string | undefined;
  /** From `placeOf`. */
  readonly place: string;
  readonly tell: (isStored: boolean) => void;
}

/** The service's answer for an ad. */
interface Result {
  readonly success?: unknown;
  readonly retry?: unknown;
}

/** Asks the browser to send a request when the page ends, unless it is aborted before: https://wicg.github.io/pending-beacon/ */
declare function fetchLater(address: string, init: RequestInit): { readonly activated: boolean };

const gathering = new Map<string, (seen: Seen) => void>();

/** See `trackImpression` in `types/embed.d.mts`. */
export function postImpression(
  base: string,
  id: string,
  placement?: string,
  proof = proofOf(base, id),
): Promise<boolean> {
  const add = gathering.get(base) ?? gather(base);
  gathering.set(base, add);
  return new Promise((tell) => add({ id, proof, place: placeOf(placement), tell }));
}

/** Returns the function that adds an ad to the next request. */
function gather(base: string): (one: Seen) => void {
  let seen: Seen[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let later: (() => boolean) | undefined;

  /** Takes the gathered ads, and cancels the browser's own request; none if the browser has sent it already. */
  function take(): Seen[] {
    clearTimeout(timer);
    timer = undefined;
    const taken = seen;
    seen = [];
    const isSent = later?.();
    later = undefined;
    if (!isSent) return taken;
    tellAll(taken, true);
    return [];
  }

  function send(): void {
    const taken = take();
    if (taken.length > 0) void report(base, taken);
  }

  function leave(): void {
    if (seen.length === 0 || later !== undefined) return;
    const taken = take();
    if (sendBeacon(...requestOf(base, taken))) tellAll(taken, true);
    else void report(base, taken);
  }

  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && leave());

  return (one) => {
    // The browser may have reported these ads when the visitor left the page, and now shows the page again.
    if (later?.()) take();
    if (seen[0]?.place !== one.place) send();
    seen.push(one);
    later = sendLater(...requestOf(base, seen));
    timer ??= setTimeout(send, GATHERED_FOR_MS);
    if (seen.length === MOST_REPORTED) send();
  };
}

/** Reports ads, and repeats the ones that could not be stored, at most twice. */
async function report(base: string, seen: readonly Seen[]): Promise<void> {
  const began = performance.now();
  let left = await reportOnce(base, seen);
  for (const pause of PAUSES_MS) {
    if (left.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    // A page in the background may have waited for longer.
    if (performance.now() - began > AGAIN_WITHIN_MS) break;
    left = await reportOnce(base, left);
  }
  tellAll(left, false);
}

/** Returns the ads that have to be sent again. */
async function reportOnce(base: string, seen: readonly Seen[]): Promise<readonly Seen[]> {
  const [address, body = null] = requestOf(base, seen);
  const answer = await ask(address, { method: "POST", keepalive: true, body }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return seen;
  // The service or its proxy may be older than this script.
  if (answer.status === 404 && seen.length > 1)
    return (await Promise.all(seen.map((one) => reportOnce(base, [one])))).flat();
  const results: readonly (Result | null)[] = [answer.body.ads ?? answer.body].flat();
  return seen.filter((one, nth) => {
    const again = results[nth]?.retry === true;
    if (!again) one.tell(results[nth]?.success === true);
    return again;
  });
}

/** The address of the request, and its body if there are several ads. */
function requestOf(base: string, seen: readonly Seen[]): [string, string?] {
  const [one, ...others] = seen;
  return one !== undefined && others.length === 0
    ? [eventAddress(base, one.id, "impressions", one.place, one.proof)]
    : [`${base}v1/impressions?${one?.place}`, JSON.stringify({ ads: seen }, ["ads", "id", "proof"])];
}

function tellAll(seen: readonly Seen[], isStored: boolean): void {
  for (const { tell } of seen) tell(isStored);
}

/**
 * Has the browser send the request when the page ends; undefined if the browser cannot do that. The returned function cancels the
 * request, and returns true if it was sent already.
 */
function sendLater(address: string, body: string | null = null): (() => boolean) | undefined {
  const controller = new AbortController();
  try {
    const result = fetchLater(address, { ...ANONYMOUS, method: "POST", body, signal: controller.signal });
    return () => {
      if (!result.activated) controller.abort();
      return result.activated;
    };
  } catch {
    return undefined;
  }
}
