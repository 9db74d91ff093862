import { EVENT_KINDS, type EventKind, type TrackedEvent, VERDICTS, type Verdict } from "./event.ts";

/** An event as serving appends it to the log: the values of a row, and those that only the judge needs. */
export interface LoggedEvent extends TrackedEvent {
  /** Keyed hash of address, ad, kind and minute, 16 hex digits; "" without a limit. */
  readonly limitKey: string;
  /** Events of the address, ad, kind and minute that count; 0 is no limit. */
  readonly limit: number;
  /** Within this time of an event that counts, in milliseconds, others of the visitor are duplicates; 0 is never. */
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
  /** The line begins with the values of a row: where they end. */
  readonly rowEnd: number;
  readonly verdictAt: number;
}

/*
 * A line of the log, in which every value has its place and the first seven are those of a row:
 *
 *     [id, workspace, ad, kind, verdict, visitor, occurred at, 2, limit key, limit, window, private keys]
 *
 * The eighth is the version. Later releases add values at the end, and readers ignore those that they do not know. A line of an
 * earlier release ends with the time, because serving had judged it. Every text is one of ours, so nothing needs escaping.
 */
const VERSION = ',2,"';
const BETWEEN = '","';
const QUOTE = 0x22;
const VISITOR_LENGTH = 16;
/** From 2001 to 2286. */
const TIME_LENGTH = 13;
const kinds = new Map<string, EventKind>(EVENT_KINDS.map((kind) => [kind, kind]));
const verdicts = new Map<string, Verdict>(VERDICTS.map((verdict) => [verdict, verdict]));

/** The line of an event, newline included. */
export function encodeLoggedEvent(event: LoggedEvent): string {
  const { id, workspaceId, adId, kind, verdict, visitor, occurredAt } = event;
  return `["${id}","${workspaceId}","${adId}","${kind}","${verdict}","${visitor}",${occurredAt}${VERSION}${event.limitKey}",${event.limit},${event.windowMs},"${event.privateKeys}"]\n`;
}

/** Takes a line without its newline apart; null for a line of an earlier release, or one that is no event. */
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
  if (!text.startsWith(VERSION, rowEnd) || !text.startsWith('",', visitorEnd)) return null;
  const limitKeyAt = rowEnd + VERSION.length;
  const limitKeyEnd = text.indexOf('",', limitKeyAt);
  const windowAt = text.indexOf(",", limitKeyEnd + 2) + 1;
  const privateAt = text.indexOf(',"', windowAt) + 2;
  const kind = kinds.get(text.slice(kindAt, verdictAt - 3));
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
    privateKeys:
      text.charCodeAt(privateAt) === QUOTE ? "" : text.slice(privateAt, privateAt + 2 * VISITOR_LENGTH),
    text,
    rowEnd,
    verdictAt,
  };
}

/** The row of a line, newline included, with the verdict `given`. */
export function rowOf({ text, rowEnd, verdictAt, verdict }: LoggedLine, given: Verdict): string {
  if (given === verdict) return `${text.slice(0, rowEnd)}]\n`;
  return `${text.slice(0, verdictAt)}${given}${text.slice(verdictAt + verdict.length, rowEnd)}]\n`;
}
