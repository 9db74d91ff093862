import type { IncomingHttpHeaders } from "node:http";
import type { EventKind, RequestVerdict } from "#libs/domain/event.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import type { UserAgentVerdict } from "./user-agents.ts";

/** Events still count this long after the ad stops serving: an open page may show it for a while. */
const GRACE_PERIOD_MS = 15 * 60_000;
const PREFETCH = /prefetch|prerender/i;

/**
 * The verdict that the request alone allows, proofs apart; the first reason wins: `bot`, `prefetch`, `network`,
 * `not_serving`. `ofUserAgent` is what its user agent says (`user-agents.ts`); null for one that a server reports and vouches for.
 * The ad must have been serving within 15 minutes before `occurredAt`.
 */
export function judgeRequest(
  headers: IncomingHttpHeaders,
  ofUserAgent: UserAgentVerdict,
  isBlocked: boolean,
  ad: CachedAd,
  occurredAt: number,
): RequestVerdict {
  if (ofUserAgent !== null) return ofUserAgent;
  if (isPrefetch(headers)) return "prefetch";
  if (isBlocked) return "network";
  // Ignores when the ad's window starts. If that seems to be later, a clock was set back or runs ahead.
  return ad.servedUntil > occurredAt - GRACE_PERIOD_MS ? "valid" : "not_serving";
}

/** Whether the visitor asks not to be recognized: Global Privacy Control, https://www.w3.org/TR/gpc/#the-sec-gpc-header-field-for-http-requests */
export function asksForPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers["sec-gpc"] === "1";
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

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { purpose, "sec-purpose": secPurpose, "x-moz": xMoz } = headers;
  if (purpose === undefined && secPurpose === undefined && xMoz === undefined) return false;
  return [purpose, secPurpose, xMoz].flat().some((value) => value !== undefined && PREFETCH.test(value));
}
