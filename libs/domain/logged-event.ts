import {
  EVENT_KINDS,
  EVENT_SOURCES,
  type EventKind,
  type EventSource,
  type TrackedEvent,
  VERDICTS,
  type Verdict,
} from "./event.ts";
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

/** A line of the log, taken apart. */
export interface LoggedLine extends LoggedEvent {
  readonly text: string;
  /** Where the time ends. The line begins with the values of a row up to it. */
  readonly rowEnd: number;
  readonly verdictAt: number;
}

/*
 * A line of the log. Each value has its place, and the first seven and the source make a row:
 *
 *     [id, workspace, ad, kind, verdict, visitor, occurred at, 2, limit key, limit, window, private keys, source]
 *
 * The eighth is the version. Later releases add values at the end, and readers ignore those that they do not know. A line of an
 * earlier release ends with the private keys, or with the time; then it has serving's verdict, and is read as one without a limit and
 * with the usual window, so that the judge compares it with later events. We make every text ourselves, so nothing needs escaping.
 */
const VERSION = ',2,"';
const BETWEEN = '","';
const QUOTE = 0x22;
const VISITOR_LENGTH = 16;
/** From 2001 to 2286. */
const TIME_LENGTH = 13;
const kinds = new Map<string, EventKind>(EVENT_KINDS.map((kind) => [kind, kind]));
const verdicts = new Map<string, Verdict>(VERDICTS.map((verdict) => [verdict, verdict]));
const sources = new Map<string, EventSource>(EVENT_SOURCES.map((source) => [source, source]));

/** The line of an event, newline included. */
export function encodeLoggedEvent(event: LoggedEvent): string {
  const { id, workspaceId, adId, kind, verdict, visitor, occurredAt } = event;
  return `["${id}","${workspaceId}","${adId}","${kind}","${verdict}","${visitor}",${occurredAt}${VERSION}${event.limitKey}",${event.limit},${event.windowMs},"${event.privateKeys}","${event.source}"]\n`;
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
  const verdict = verdicts.get(text.slice(verdictAt, visitorAt - 3));
  const occurredAt = Number(text.slice(timeAt, rowEnd));
  const limit = Number(text.slice(limitKeyEnd + 2, windowAt - 1));
  const windowMs = Number(text.slice(windowAt, privateAt - 2));
  if (kind === undefined || verdict === undefined || !(occurredAt > 0 && limit >= 0 && windowMs >= 0))
    return null;
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
    source: sources.get(text.slice(sourceAt, text.indexOf('"', sourceAt))) ?? "unknown",
    text,
    rowEnd,
    verdictAt,
  };
}

/** The row of a line, newline included, with the verdict and the source that are given; "" is the source in rows of earlier releases. */
export function rowOf(
  { text, rowEnd, verdictAt, verdict }: LoggedLine,
  given: Verdict,
  source: EventSource | "",
): string {
  if (given === verdict) return `${text.slice(0, rowEnd)},"${source}"]\n`;
  return `${text.slice(0, verdictAt)}${given}${text.slice(verdictAt + verdict.length, rowEnd)},"${source}"]\n`;
}
