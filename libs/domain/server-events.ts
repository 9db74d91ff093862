/** What a server may report in one request. */
export const MOST_EVENTS = 1_000;
export const LONGEST_VISITOR_ID = 200;
export const OLDEST_EVENT_MS = 24 * 3_600_000;
export const FARTHEST_AHEAD_MS = 5 * 60_000;

/** Why an event of a request is refused, while others of it are accepted. */
export const SERVER_EVENT_REFUSALS = {
  invalid_event: "It is no object.",
  invalid_ad_id: "`adId` is missing or is no text.",
  invalid_kind: "`kind` is neither `impression` nor `click`.",
  invalid_ip: "`ip` is neither an IPv4 nor an IPv6 address.",
  invalid_user_agent: "`userAgent` is no text.",
  invalid_visitor_id: `\`visitorId\` is no text of 1 to ${LONGEST_VISITOR_ID} characters.`,
  invalid_occurred_at: "`occurredAt` is no text like `2026-11-21T12:00:00Z` or `2026-11-21T14:00:00+02:00`.",
  unknown_ad: "The workspace has no such ad.",
  too_old: "It occurred more than 24 hours ago.",
  in_the_future: "It occurs more than 5 minutes from now.",
  limited: "Its address is over the limit for the ad in that minute.",
  try_again: "It may not be stored. Send it again.",
} as const;
export type ServerEventRefusal = keyof typeof SERVER_EVENT_REFUSALS;
export const SERVER_EVENT_CODES = Object.keys(SERVER_EVENT_REFUSALS).filter(
  (code): code is ServerEventRefusal => Object.hasOwn(SERVER_EVENT_REFUSALS, code),
);
