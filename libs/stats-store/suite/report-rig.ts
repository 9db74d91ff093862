import type { TrackedEvent } from "#libs/domain/event.ts";
import type { ReportCount, ReportRequest } from "../index.ts";
import { NOON, type StatsStoreRig } from "./rig.ts";

export const QUARTER = 900_000;
const MANY = 1_000;

/** What tests of reports do: insert events, and ask for counts of the hour from noon on unless they say otherwise. */
export function reportRig(rig: StatsStoreRig) {
  const anEvent = (changes: Partial<TrackedEvent> = {}) => rig.anEvent({ source: "link", ...changes });
  const happened = (...events: TrackedEvent[]) => rig.insert(...events);
  const asked = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
    workspaceId: rig.workspaceId,
    from: NOON,
    until: NOON + 4 * QUARTER,
    groupBy: [],
    where: [],
    ...changes,
  });
  const report = async (changes: Partial<ReportRequest> = {}, limit = MANY) =>
    inOrder(await rig.store.reportCounts(asked(changes), limit));
  return { anEvent, happened, asked, report };
}

export function inOrder(counts: readonly ReportCount[]): ReportCount[] {
  const placeOf = ({ start, keys }: ReportCount) => [start, ...keys.map((key) => key ?? "~")].join(" ");
  return counts.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}
