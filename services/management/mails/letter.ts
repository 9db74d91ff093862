import type { Subject } from "./subject.ts";

/** What a mail says, in one language, before it is text or HTML. */
export interface Letter {
  readonly subject: Subject;
  /** What inboxes show after the subject, in some ninety characters. */
  readonly preheader: string;
  readonly blocks: readonly Block[];
  /** The small print: why this came. */
  readonly footer: string;
  /** A last link below it. */
  readonly footerLink?: { readonly label: string; readonly url: string };
}

/**
 * - `text`: a paragraph in one line
 * - `quote`: what somebody else has written, with their line breaks
 * - `link`: where to go next, alone on its line
 * - `figures`: a row of numbers for each of several things
 */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "link"; readonly label: string; readonly url: string }
  | Figures;

export interface Figures {
  readonly kind: "figures";
  /** What the things and then their numbers are called. */
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly (readonly [string, ...string[]])[];
  /** The numbers of all of them together. */
  readonly total?: readonly [string, ...string[]];
}

/** A paragraph. */
export function text(words: string): Block {
  return { kind: "text", text: words };
}

/** What somebody else has written. */
export function quote(words: string): Block {
  return { kind: "quote", text: words };
}

/** Where to go next; nothing where there is no such place. */
export function link(label: string, url: string | null): readonly Block[] {
  return url === null ? [] : [{ kind: "link", label, url }];
}
