import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import type { Verdict } from "#libs/domain/event.ts";
import type { Judgement } from "#libs/limits/index.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";

/** Events still count this long after the ad stops serving: an open page may show it for a while. */
const GRACE_PERIOD_MS = 15 * 60_000;
/** No browser sends a longer user agent; the rest is ignored. */
const USER_AGENT_LENGTH = 512;
const PREFETCH = /prefetch|prerender/i;
const MAX_USER_AGENTS = 5_000;

/**
 * Whether a user agent is a bot's. Cleared when it is full: tracking which was used last would cost each event more than
 * checking some thousands of user agents again.
 */
const isBotByUserAgent = new Map<string, boolean>();

/** The user agent, cut to the length that is used. */
export function userAgentOf(headers: IncomingHttpHeaders): string {
  return (headers["user-agent"] ?? "").slice(0, USER_AGENT_LENGTH);
}

/**
 * The verdict that the request alone allows; the first reason wins: `bot`, `prefetch`, `not_serving`. A request without a
 * user agent is a bot's: every browser sends one, scripts forget it.
 */
export function judgeRequest(
  headers: IncomingHttpHeaders,
  userAgent: string,
  ad: CachedAd,
  now: number,
): Verdict {
  if (isBot(userAgent)) return "bot";
  if (isPrefetch(headers)) return "prefetch";
  // Never checks the start: an ad that seems to start later has started, by a clock that was set back or runs ahead.
  return ad.servedUntil > now - GRACE_PERIOD_MS ? "valid" : "not_serving";
}

/** The final verdict: only an event that would count can be a `duplicate` of another that counts. */
export function combineVerdict(verdict: Verdict, judgement: Judgement): Verdict {
  return verdict === "valid" && judgement === "duplicate" ? "duplicate" : verdict;
}

function isBot(userAgent: string): boolean {
  if (userAgent === "") return true;
  const known = isBotByUserAgent.get(userAgent);
  if (known !== undefined) return known;
  const result = isbot(userAgent);
  if (isBotByUserAgent.size >= MAX_USER_AGENTS) isBotByUserAgent.clear();
  isBotByUserAgent.set(userAgent, result);
  return result;
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { purpose, "sec-purpose": secPurpose, "x-moz": xMoz } = headers;
  if (purpose === undefined && secPurpose === undefined && xMoz === undefined) return false;
  return [purpose, secPurpose, xMoz].flat().some((value) => value !== undefined && PREFETCH.test(value));
}
