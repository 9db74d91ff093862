import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { encodeLoggedEvent, type LoggedEvent, readLoggedLine, rowOf } from "#libs/domain/logged-event.ts";
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
  source: "page",
  place: NO_PLACE,
};

/** The same as serving logs it, without a limit. */
export const A_LOGGED_EVENT: LoggedEvent = {
  ...AN_EVENT,
  limitKey: "",
  limit: 0,
  windowMs: 10_000,
  privateKeys: "",
};

/** The line of an impression that counts, with its line break. Its visitor is not known, so it is no duplicate. */
export function aLine(id: string, changes: Partial<TrackedEvent> = {}): string {
  return encodeLoggedEvent({ ...A_LOGGED_EVENT, visitor: "", ...changes, id });
}

/** Its row. */
export function aRow(id: string): string {
  return encodeEventRow({ ...AN_EVENT, visitor: "", id });
}

/** The row of a line with serving's verdict, both without line breaks; a line that is no event is left as it is. */
export function rowOfLine(line: string): string {
  const logged = readLoggedLine(line);
  return logged === null ? line : rowOf(logged, logged.verdict, "whole").trimEnd();
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
