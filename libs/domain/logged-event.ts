import {
  EVENT_KINDS,
  EVENT_SOURCES,
  type EventKind,
  type EventSource,
  type TrackedEvent,
  VERDICTS,
  type Verdict,
} from "./event.ts";
import { encodePlace, NO_PLACE, PLACE_COLUMNS } from "./event-place.ts";
import { DUPLICATE_WINDOWS_MS } from "./tracking-limits.ts";

/** An event as serving appends it to the log: the values of a row, and those that only the judge needs. */
export interface LoggedEvent extends TrackedEvent {
  /** Keyed hash of address, ad, kind and minute, 16 hex digits; "" without a limit. */
  readonly limitKey: string;
  /** At most this many events of the address, ad, kind and minute count; 0 means no limit. */
  readonly limit: number;
  /** The visitor's other events within this many milliseconds of one that counts are duplicates; 0 means none are. */
  readonly windowMs: number;
  /**
   * For a visitor who asks for privacy: two keyed hashes of 16 hex digits, joined. The first is of address, user agent, ad, kind and
   * the event's window, the second has the window before instead. "" for any other visitor.
   */
  readonly privateKeys: string;
}

/** A line of the log, taken apart, except for its place, which rows have as it stands in the line. */
export interface LoggedLine extends Omit<LoggedEvent, "place"> {
  readonly text: string;
  /** As `encodePlace` writes it. */
  readonly placeText: string;
  /** Where the time ends. The line begins with the values of a row up to it. */
  readonly rowEnd: number;
  readonly verdictAt: number;
}

/*
 * A line of the log. Each value has its place, and the first seven, the source and the place make a row:
 *
 *     [id, workspace, ad, kind, verdict, visitor, occurred at, 2, limit key, limit, window, private keys, source,
 *      placement, path, referrer, country, device, browser]
 *
 * The eighth is the version. Later releases add values at the end, and readers ignore those that they do not know. A line of an
 * earlier release ends with the source, the private keys, or the time; then it has serving's verdict, and is read as one without a limit
 * and with the usual window, so that the judge compares it with later events. We make every text but those of the place ourselves, so
 * nothing else needs escaping.
 */
const VERSION = ',2,"';
const BETWEEN = '","';
const QUOTE = 0x22;
const VISITOR_LENGTH = 16;
/** From 2001 to 2286. */
const TIME_LENGTH = 13;
const kinds = new Map<string, EventKind>(EVENT_KINDS.map((kind) => [kind, kind]));
const verdicts = new Map<string, Verdict>(VERDICTS.map((verdict) => [verdict, verdict]));
const NO_PLACE_TEXT = encodePlace(NO_PLACE);
const sources = new Map<string, EventSource>(EVENT_SOURCES.map((source) => [source, source]));

/** The line of an event, newline included. */
export function encodeLoggedEvent(event: LoggedEvent): string {
  const { id, workspaceId, adId, kind, verdict, visitor, occurredAt } = event;
  return `["${id}","${workspaceId}","${adId}","${kind}","${verdict}","${visitor}",${occurredAt}${VERSION}${event.limitKey}",${event.limit},${event.windowMs},"${event.privateKeys}","${event.source}",${encodePlace(event.place)}]\n`;
}

/** Parses a line, given without its newline; null if it is not an event. */
export function readLoggedLine(text: string): LoggedLine | null {
  if (!text.startsWith('["') || !text.endsWith("]")) return null;
  const workspaceAt = text.indexOf(BETWEEN, 2) + 3;
  const adAt = text.indexOf(BETWEEN, workspaceAt) + 3;
  const kindAt = text.indexOf(BETWEEN, adAt) + 3;
  const verdictAt = text.indexOf(BETWEEN, kindAt) + 3;
  const visitorAt = text.indexOf(BETWEEN, verdictAt) + 3;
  const visitorEnd = text.charCodeAt(visitorAt) === QUOTE ? visitorAt : visitorAt + VISITOR_LENGTH;
  const timeAt = visitorEnd + 2;
  const rowEnd = timeAt + TIME_LENGTH;
  if (!text.startsWith('",', visitorEnd)) return null;
  const kind = kinds.get(text.slice(kindAt, verdictAt - 3));
  if (text.length === rowEnd + 1 && kind !== undefined)
    return readLoggedLine(`${text.slice(0, rowEnd)}${VERSION}",0,${DUPLICATE_WINDOWS_MS[kind]},""]`);
  if (!text.startsWith(VERSION, rowEnd)) return null;
  const limitKeyAt = rowEnd + VERSION.length;
  const limitKeyEnd = text.indexOf('",', limitKeyAt);
  const windowAt = text.indexOf(",", limitKeyEnd + 2) + 1;
  const privateAt = text.indexOf(',"', windowAt) + 2;
  const privateEnd = text.charCodeAt(privateAt) === QUOTE ? privateAt : privateAt + 2 * VISITOR_LENGTH;
  const sourceAt = privateEnd + BETWEEN.length;
  const sourceEnd = text.indexOf('"', sourceAt);
  const placeText = placeAfter(text, sourceEnd);
  const verdict = verdicts.get(text.slice(verdictAt, visitorAt - 3));
  const occurredAt = Number(text.slice(timeAt, rowEnd));
  const limit = Number(text.slice(limitKeyEnd + 2, windowAt - 1));
  const windowMs = Number(text.slice(windowAt, privateAt - 2));
  if (kind === undefined || verdict === undefined || placeText === null) return null;
  if (!(occurredAt > 0 && limit >= 0 && windowMs >= 0)) return null;
  return {
    id: text.slice(2, workspaceAt - 3),
    workspaceId: text.slice(workspaceAt, adAt - 3),
    adId: text.slice(adAt, kindAt - 3),
    kind,
    verdict,
    visitor: text.slice(visitorAt, visitorEnd),
    occurredAt,
    limitKey: text.slice(limitKeyAt, limitKeyEnd),
    limit,
    windowMs,
    privateKeys: text.slice(privateAt, privateEnd),
    source: sources.get(text.slice(sourceAt, sourceEnd)) ?? "unknown",
    text,
    placeText,
    rowEnd,
    verdictAt,
  };
}

/** The texts of the place that follows the source; null if the line ends within them. Each ends at the next quote. */
function placeAfter(text: string, sourceEnd: number): string | null {
  if (sourceEnd < 0 || sourceEnd + 2 === text.length) return NO_PLACE_TEXT;
  let end = sourceEnd + 1;
  for (const _ of PLACE_COLUMNS) {
    const closing = text.startsWith(',"', end) ? text.indexOf('"', end + 2) : -1;
    if (closing < 0) return null;
    end = closing + 1;
  }
  return text.slice(sourceEnd + 2, end);
}

/**
 * What the rows of a release have: of the first ones neither source nor place, of those before this one no place. What they lack
 * is "", which no row of a later release has as its source and device.
 */
export const ROW_FORMS = ["without source", "without place", "whole"] as const;
export type RowForm = (typeof ROW_FORMS)[number];

const NO_TEXTS = PLACE_COLUMNS.map(() => '""').join();

/** The row of a line, newline included, with the verdict that is given, as the release of a form inserts it. */
export function rowOf(
  { text, rowEnd, verdictAt, verdict, source, placeText }: LoggedLine,
  given: Verdict,
  form: RowForm,
): string {
  const tail = `,"${form === "without source" ? "" : source}",${form === "whole" ? placeText : NO_TEXTS}]\n`;
  if (given === verdict) return `${text.slice(0, rowEnd)}${tail}`;
  return `${text.slice(0, verdictAt)}${given}${text.slice(verdictAt + verdict.length, rowEnd)}${tail}`;
}
