import { Parser } from "htmlparser2";

/** What a page says of an icon of its site. */
export interface DeclaredIcon {
  readonly url: URL;
  /** `icon` is for browsers' tabs, `touch` for home screens: larger, and drawn with a background. */
  readonly kind: "icon" | "touch";
  /** The widest size in pixels; null where none is given. */
  readonly size: number | null;
  /** As declared, in lower case; null where none is given. */
  readonly type: string | null;
  /** Whether it is meant for dark surroundings only. */
  readonly isForDark: boolean;
}

type Link = Omit<DeclaredIcon, "url"> & { readonly href: string };

/** More than any page has a use for. */
const MOST_LINKS = 50;

/** Deeper than any head. The parser's work for a tag grows with the tags that are open, and a page can open any number. */
const DEEPEST = 64;

/** What is true of one page: its address, and how much of it is read at most. */
export interface PageBounds {
  readonly url: URL;
  readonly maxBytes: number;
}

/** The icons that the head of a page declares, in its order. Reads at most to the end of the head, and `maxBytes`. */
export async function readDeclaredIcons(
  body: AsyncIterable<Buffer>,
  { url, maxBytes }: PageBounds,
): Promise<DeclaredIcon[]> {
  const links: Link[] = [];
  let base: string | null = null;
  let depth = 0;
  let isOver = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (name === "base") base ??= attributes.href ?? null;
      const link = name === "link" ? iconLink(attributes) : null;
      if (link !== null) links.push(link);
      if (name === "body" || depth > DEEPEST || links.length >= MOST_LINKS) end();
    },
    onclosetag(name) {
      depth -= 1;
      if (name === "head") end();
    },
  });
  function end(): void {
    isOver = true;
    // Else it would go on to the end of the chunk.
    parser.pause();
  }
  // Every encoding of the web agrees with UTF-8 on the characters that tags and most addresses are written in.
  const decoder = new TextDecoder();
  let length = 0;
  for await (const chunk of body) {
    const taken = chunk.subarray(0, maxBytes - length);
    length += taken.length;
    parser.write(decoder.decode(taken, { stream: true }));
    if (isOver || length >= maxBytes) break;
  }

  const against = baseOf(base, url);
  return links.flatMap(({ href, ...link }) => {
    const address = URL.parse(href.trim(), against);
    return address !== null && isWeb(address) ? [{ ...link, url: address }] : [];
  });
}

function iconLink({
  rel = "",
  href,
  sizes = "",
  type = "",
  media = "",
}: Record<string, string>): Link | null {
  const kinds = rel.toLowerCase().split(/\s+/);
  const isTouch = kinds.some((kind) => /^apple-touch-icon(?:-precomposed)?$/.test(kind));
  if (href === undefined || href === "" || !(isTouch || kinds.includes("icon"))) return null;
  const widths = [...sizes.matchAll(/(?<!\S)(\d{1,4})x\d{1,4}(?!\S)/gi)].map(([, width]) => Number(width));
  return {
    href,
    kind: isTouch ? "touch" : "icon",
    size: widths.length === 0 ? null : Math.max(...widths),
    type: type === "" ? null : type.trim().toLowerCase(),
    isForDark: /prefers-color-scheme:\s*dark/i.test(media),
  };
}

function baseOf(base: string | null, page: URL): string {
  const parsed = base === null ? null : URL.parse(base.trim(), page.href);
  return parsed !== null && isWeb(parsed) ? parsed.href : page.href;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
