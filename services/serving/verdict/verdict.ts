import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import type { EventKind, RequestVerdict } from "#libs/domain/event.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import { copyText } from "./copy-text.ts";
import { isLinkScanner, isMailService } from "./mail-services.ts";

/** Events still count this long after the ad stops serving: an open page may show it for a while. */
const GRACE_PERIOD_MS = 15 * 60_000;
/** No browser sends a longer user agent; the rest is ignored. */
const USER_AGENT_LENGTH = 512;
/** In place of a user agent that a server leaves out. No header can hold it. */
const VOUCHED_FOR = "\u0000";
const PREFETCH = /prefetch|prerender/i;
const MAX_USER_AGENTS = 5_000;

/**
 * What a user agent alone says; null for a browser. Cleared when it is full: tracking which was used last would cost each
 * event more than checking some thousands of user agents again.
 */
const verdictOfUserAgent = new Map<string, "bot" | "prefetch" | null>();

/** The user agent, cut to the length that is used. */
export function userAgentOf(headers: IncomingHttpHeaders): string {
  return cutUserAgent(headers["user-agent"] ?? "");
}

/**
 * The verdict that the request alone allows, proofs apart; the first reason wins: `bot`, `prefetch`, `network`, `not_serving`. A request without a
 * user agent is a bot's: every browser sends one, scripts forget it. Mail services that fetch images for their readers
 * are `prefetch` (`mail-services.ts`).
 */
export function judgeRequest(
  headers: IncomingHttpHeaders,
  userAgent: string,
  isBlocked: boolean,
  ad: CachedAd,
  now: number,
): RequestVerdict {
  const known = userAgent === VOUCHED_FOR ? null : judgeUserAgent(userAgent);
  if (known !== null) return known;
  if (isPrefetch(headers)) return "prefetch";
  if (isBlocked) return "network";
  // Ignores when the ad's window starts. If that seems to be later, a clock was set back or runs ahead.
  return ad.servedUntil > now - GRACE_PERIOD_MS ? "valid" : "not_serving";
}

/** Whether the visitor asks not to be recognized: Global Privacy Control, https://www.w3.org/TR/gpc/#the-sec-gpc-header-field-for-http-requests */
export function asksForPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers["sec-gpc"] === "1";
}

/**
 * As `judgeRequest`, for an event that a server reports. A server that names no user agent vouches for the visitor. The ad must have
 * been serving when the event occurred.
 */
export function judgeReported(
  userAgent: string | undefined,
  isBlocked: boolean,
  ad: CachedAd,
  occurredAt: number,
): RequestVerdict {
  return judgeRequest(
    {},
    userAgent === undefined ? VOUCHED_FOR : cutUserAgent(userAgent),
    isBlocked,
    ad,
    occurredAt,
  );
}

/** Events of the kind per minute and address: what the ad's publisher allows, or else the default. 0 is no limit. */
export function limitOf({ rules: { limits } }: CachedAd, kind: EventKind, usual: TrackingLimits): number {
  return kind === "click"
    ? (limits.clicksPerMinute ?? usual.clicksPerMinute)
    : (limits.impressionsPerMinute ?? usual.impressionsPerMinute);
}

/** How long events of the kind are duplicates, in milliseconds. */
export function windowOf(kind: EventKind, { clickWindowMs, impressionWindowMs }: TrackingLimits): number {
  return kind === "click" ? clickWindowMs : impressionWindowMs;
}

/** The part of a user agent that is used: a server may send a megabyte. */
export function cutUserAgent(userAgent: string): string {
  return userAgent.length <= USER_AGENT_LENGTH ? userAgent : copyText(userAgent.slice(0, USER_AGENT_LENGTH));
}

function judgeUserAgent(userAgent: string): "bot" | "prefetch" | null {
  if (userAgent === "") return "bot";
  const known = verdictOfUserAgent.get(userAgent);
  if (known !== undefined) return known;
  // Mail services come first, because the list of bots has some of them.
  const verdict = isMailService(userAgent)
    ? "prefetch"
    : isLinkScanner(userAgent) || isbot(userAgent)
      ? "bot"
      : null;
  if (verdictOfUserAgent.size >= MAX_USER_AGENTS) verdictOfUserAgent.clear();
  verdictOfUserAgent.set(userAgent, verdict);
  return verdict;
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { purpose, "sec-purpose": secPurpose, "x-moz": xMoz } = headers;
  if (purpose === undefined && secPurpose === undefined && xMoz === undefined) return false;
  return [purpose, secPurpose, xMoz].flat().some((value) => value !== undefined && PREFETCH.test(value));
}
