import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import type { LoggedEvent } from "#libs/domain/logged-event.ts";
import type { IngestionObserver } from "../exactly-once.ts";

/** An impression that counts. */
const AN_EVENT: TrackedEvent = {
  id: "evt_1",
  workspaceId: "ws_1",
  adId: "ad_1",
  kind: "impression",
  verdict: "valid",
  visitor: "0123456789abcdef",
  occurredAt: Date.UTC(2026, 10, 21),
};

/** The same as serving logs it, without a limit. */
export const A_LOGGED_EVENT: LoggedEvent = {
  ...AN_EVENT,
  limitKey: "",
  limit: 0,
  windowMs: 10_000,
  privateKeys: "",
};

/**
 * The row of an impression that counts, with its line break. Its visitor is not known, so it is no duplicate: a log may have rows of an
 * earlier release, which are judged, too.
 */
export function aLine(id: string, changes: Partial<TrackedEvent> = {}): string {
  return encodeEventRow({ ...AN_EVENT, visitor: "", ...changes, id });
}

/** Listens to nothing, and throws when a range is gone. */
export const SILENT: IngestionObserver = {
  onStep: () => undefined,
  onIngested: () => undefined,
  onRepeated: () => undefined,
  onTrouble: () => undefined,
  onBlocked: () => undefined,
  onRecovery: () => undefined,
  onRangeGone: (_, error) => {
    throw error;
  },
};
