import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { newId } from "#libs/domain/ids.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";

/** What reports know of an event. */
export type CountedEvent = Omit<TrackedEvent, "id" | "visitor">;

/** Stores events, each of nobody in particular. */
export async function insertEvents(stats: StatsStore, events: readonly CountedEvent[]): Promise<void> {
  const rows = events.map((event) => encodeEventRow({ ...event, id: newId("event"), visitor: "" }));
  await stats.insertRange({ token: crypto.randomUUID(), rows: [Buffer.from(rows.join(""))] });
}
