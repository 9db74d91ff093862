import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import type { Verdict } from "#libs/domain/event.ts";
import type { Judgement } from "#libs/limits/index.ts";
import type { TrackedAd } from "./prepared-snapshot.ts";

/** A page that got an ad may show it for a while: so long after its end its events still count. */
const AFTERGLOW_MS = 15 * 60_000;
/** No browser's user agent is longer; what follows is not looked at. */
const USER_AGENT_LENGTH = 512;
const FETCHED_AHEAD = /prefetch|prerender/i;

const MOST_KNOWN_AGENTS = 5_000;

/**
 * Names only, no visitors: what a user agent turned out to be. Starts anew when it is full, because keeping track of
 * which was used last costs every event more than looking at some thousands of names again.
 */
const knownBots = new Map<string, boolean>();

/** The user agent as far as anything looks at it. */
export function userAgentOf(headers: IncomingHttpHeaders): string {
  return (headers["user-agent"] ?? "").slice(0, USER_AGENT_LENGTH);
}

/**
 * The verdict as far as the request alone tells it. The first that holds wins: who asks (`bot`), why (`prefetch`), for
 * what (`not_serving`). A missing user agent is a bot's: every browser sends one, scripts forget it.
 */
export function judgeRequest(
  headers: IncomingHttpHeaders,
  userAgent: string,
  ad: TrackedAd,
  now: number,
): Verdict {
  if (isBot(userAgent)) return "bot";
  if (isFetchedAhead(headers)) return "prefetch";
  return wasServedLately(ad, now) ? "valid" : "not_serving";
}

/** The final verdict: only an event that would count can be a `duplicate` of another that counts. */
export function combineVerdict(verdict: Verdict, judgement: Judgement): Verdict {
  return verdict === "valid" && judgement === "duplicate" ? "duplicate" : verdict;
}

function isBot(userAgent: string): boolean {
  if (userAgent === "") return true;
  const known = knownBots.get(userAgent);
  if (known !== undefined) return known;
  const verdict = isbot(userAgent);
  if (knownBots.size >= MOST_KNOWN_AGENTS) knownBots.clear();
  knownBots.set(userAgent, verdict);
  return verdict;
}

function isFetchedAhead(headers: IncomingHttpHeaders): boolean {
  const { purpose, "sec-purpose": secPurpose, "x-moz": xMoz } = headers;
  if (purpose === undefined && secPurpose === undefined && xMoz === undefined) return false;
  return [purpose, secPurpose, xMoz].flat().some((value) => value !== undefined && FETCHED_AHEAD.test(value));
}

function wasServedLately({ servingSince, servingUntil }: TrackedAd, now: number): boolean {
  // An ad that seems to begin later has begun, by a clock that was set back or is ahead of this one.
  if (servingSince === null) return false;
  return servingUntil === null || servingUntil > now - AFTERGLOW_MS;
}
