/** The content of an email, before it is text or HTML. */
export interface Letter {
  readonly subject: Subject;
  /** What inboxes show after the subject, in some ninety characters. */
  readonly preheader: string;
  readonly blocks: readonly Block[];
  /** The small print: why the reader receives this. */
  readonly footer: string;
  /** A link below the footer. */
  readonly footerLink?: { readonly label: string; readonly url: string };
}

/**
 * - a string: a paragraph in one line
 * - `quote`: another person's words, with their line breaks
 * - `link`: a button, alone on its line
 * - `figures`: a table of numbers
 * - `chart`: a picture, of which plain text has the numbers
 */
export type Block =
  | string
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "link"; readonly label: string; readonly url: string }
  | Figures
  | Chart;

export interface Figures {
  readonly kind: "figures";
  /** The head of the names' column, then those of the numbers. */
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly (readonly [string, ...string[]])[];
  /** The last row. */
  readonly total?: readonly [string, ...string[]];
}

export interface Chart {
  readonly kind: "chart";
  readonly png: Buffer;
  /** What is drawn. */
  readonly caption: string;
  /** How to read the picture, below it. */
  readonly note: string;
  /** In place of the picture, for those who do not see it. */
  readonly alt: string;
  /** The numbers that are drawn, one row in each line. */
  readonly lines: readonly string[];
}

/** The id under which a letter's picture comes with it; no letter has two. */
export const CHART_ID = "chart@placard";

/** Another person's words. */
export function quote(words: string): Block {
  return { kind: "quote", text: words };
}

/** Lines of a list that are shown. */
const MOST_LINES = 50;

/** Other people's words as a list, cut after 50 lines. */
export function quoteList(lines: readonly string[]): Block {
  const unlisted = lines.length - MOST_LINES;
  const more = unlisted > 0 ? [`And ${unlisted} more.`] : [];
  const shown = lines.slice(0, MOST_LINES).map((line) => line.replaceAll(/\s+/gu, " "));
  return quote([...shown, ...more].join("\n"));
}

/** A button; nothing without a URL. */
export function link(label: string, url: string | null): readonly Block[] {
  return url === null ? [] : [{ kind: "link", label, url }];
}

/**
 * Text that mail programs turn into a link: an email address, a URL with its scheme, or a host name. Browsers also
 * take the other dots of the pattern for a dot.
 */
const LINK = /@|:\/\/|[\p{L}\p{N}-][.\u3002\uff0e\uff61]\p{L}{2}/u;

/**
 * A name without email addresses and links, because a stranger may have chosen it to send readers somewhere in our name. If
 * nothing else is left, its letters and digits stay, as words that are no link.
 */
export function withoutLinks(name: string): string {
  const words = name.split(/\s+/u).filter((word) => !LINK.test(word));
  const left = words.join(" ").trim();
  return left === "" ? name.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim() : left;
}

/** The subject of an email. Only `subject` makes one. */
class Subject {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static of(parts: readonly string[], names: readonly string[]): Subject {
    return new Subject(
      parts
        .map((part, index) => part + (index < names.length ? withoutLinks(names[index] ?? "") : ""))
        .join(""),
    );
  }
}

/** Writes a subject; every value in it goes through `withoutLinks`. */
export function subject(parts: TemplateStringsArray, ...names: readonly string[]): Subject {
  return Subject.of(parts, names);
}
