import { encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";

/** Valid impressions of twenty ads at one noon, each of a visitor of its own, with ids that carry the token. */
export function aRange(token: string, count = 100): { token: string; rows: Buffer[] } {
  const lines = Array.from({ length: count }, (_, n) =>
    encodeEventRow({
      id: `evt_${token}_${n}`,
      workspaceId: "ws_1",
      adId: `ad_${n % 20}`,
      kind: "impression",
      verdict: "valid",
      visitor: n.toString(16).padStart(16, "0"),
      occurredAt: Date.UTC(2026, 4, 10, 12) + n,
      source: "page",
      place: NO_PLACE,
    }),
  );
  return { token, rows: [Buffer.from(lines.join(""))] };
}
