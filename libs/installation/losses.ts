import type { Note, StoreName } from "./note.ts";

/** A store that lacks data which the others remember. */
export interface Loss {
  readonly store: StoreName;
  /** One sentence that says what is missing. */
  readonly message: string;
}

/** A store as it was found at a start. */
export interface FoundStore {
  readonly name: StoreName;
  readonly place: string;
  readonly note: Note | null;
}

/** Notes are written one store after the other, so a crash can leave them one checkpoint apart. */
const USUAL_DISTANCE = 1;
/** The first two notes are written before the first request is answered; until then there is nothing to lose. */
const FIRST_CHECKPOINT = 1;

/** The note with the highest checkpoint; null where no store has one. */
export function newestNote(stores: readonly FoundStore[]): Note | null {
  const notes = stores.flatMap(({ note }) => (note === null ? [] : [note]));
  return notes.reduce<Note | null>(
    (newest, note) => (newest === null || note.checkpoint > newest.checkpoint ? note : newest),
    null,
  );
}

/**
 * Finds every store that is new, missing or older than the others, and an event log that ends before the offset that another
 * store remembers. `logEnd` is the log's newest offset, null if the log is in Kafka. Empty for a new installation.
 */
export function findLosses(stores: readonly FoundStore[], logEnd: number | null): Loss[] {
  const newest = newestNote(stores);
  if (newest === null || newest.checkpoint <= FIRST_CHECKPOINT) return [];
  const losses = stores.flatMap((store) => lossOf(store, newest));
  const isLogKnownToBeLost = losses.some(({ store }) => store === "events");
  if (logEnd !== null && !isLogKnownToBeLost) {
    const remembered = Math.max(...stores.map(({ note }) => note?.logEnd ?? 0));
    const log = stores.find(({ name }) => name === "events");
    if (log !== undefined && logEnd < remembered) {
      const message = `The event log in ${log.place} has lost its end: it reaches to batch ${logEnd}, and the other stores know it up to batch ${remembered}.`;
      return [...losses, { store: "events", message }];
    }
  }
  return losses;
}

function lossOf({ name, place, note }: FoundStore, newest: Note): Loss[] {
  const what = `${LABELS[name]} in ${place}`;
  if (note === null)
    return [{ store: name, message: `${what} is new or empty, and the other stores are not.` }];
  if (note.installation !== newest.installation) {
    return [{ store: name, message: `${what} belongs to another installation than the other stores.` }];
  }
  const behind = newest.checkpoint - note.checkpoint;
  if (behind <= USUAL_DISTANCE) return [];
  return [
    {
      store: name,
      message: `${what} is older than the other stores: its last note is number ${note.checkpoint}, theirs is number ${newest.checkpoint}.`,
    },
  ];
}

const LABELS: Readonly<Record<StoreName, string>> = {
  postgres: "The database",
  clickhouse: "ClickHouse",
  events: "The event log",
  uploads: "The folder of uploads",
};
