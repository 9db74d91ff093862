import fc from "fast-check";
import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { verificationLetter } from "./account-letters.ts";
import { type Block, CHART_ID } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import { everyLetter, URL_IN_MAILS } from "./tests/every-letter.ts";

const NAMED = { name: "Bücher & Söhne <GmbH>", note: "Bigger, please.\nAnd <b>louder</b>." };

/** An HTML mail as a mail program takes it apart. */
function takeApart(html: string) {
  const tags = new Set<string>();
  const attributes = new Set<string>();
  const links: string[] = [];
  const styles: string[] = [];
  const pictures: string[] = [];
  const open: string[] = [];
  let words = "";
  const parser = new Parser({
    onopentag: (tag, given) => {
      open.push(tag);
      words += " ";
      tags.add(tag);
      for (const [name, value] of Object.entries(given)) {
        attributes.add(name);
        if (name === "href") links.push(value);
        if (name === "src") pictures.push(value);
        if (name === "style") styles.push(value);
      }
    },
    onclosetag: () => open.pop(),
    ontext: (text) => {
      if (!open.includes("head")) words += text;
    },
  });
  parser.end(html);
  return { tags, attributes, links, styles, pictures, words: words.replace(/\s+/g, " ") };
}

const ADDRESS = /https?:\S+/g;

/** The words and numbers of a text in their order, without addresses and without what sets it out. */
const wordsOf = (text: string) => text.replace(ADDRESS, "").match(/[\p{L}\p{N}]+/gu) ?? [];

describe.each(everyLetter(NAMED))("%s", (_name, letter) => {
  it("says in HTML what it says in plain text, and leads to the same places", () => {
    const { words, links } = takeApart(renderHtml(letter, "Heron Weekly"));
    const text = renderText({ ...letter, blocks: letter.blocks.map(withoutDrawn) });

    const shown = new Set(wordsOf(words));
    expect(wordsOf(text).filter((word) => !shown.has(word))).toEqual([]);
    expect(links).toEqual(text.match(ADDRESS) ?? []);
  });

  it("is made of what mail programs keep, and loads nothing", () => {
    const { tags, attributes, styles, pictures } = takeApart(renderHtml(letter, "Heron Weekly"));

    expect(pictures.filter((source) => source !== `cid:${CHART_ID}`)).toEqual([]);
    expect([...tags].filter((tag) => !KEPT_TAGS.has(tag))).toEqual([]);
    expect([...attributes].filter((name) => !KEPT_ATTRIBUTES.has(name))).toEqual([]);
    for (const style of styles) expect(style).not.toMatch(/url\(|position|flex|grid|var\(/);
    // More is cut off by Gmail.
    expect(Buffer.byteLength(renderHtml(letter, "Heron Weekly"))).toBeLessThan(100_000);
  });

  it("has a subject, a preheader and the reason why it came", () => {
    const { subject, preheader, footer } = letter;

    for (const text of [subject.text, preheader, footer]) expect(text).toMatch(/\p{L}{2}/u);
    expect(renderHtml(letter, "Heron Weekly").indexOf("display:none")).toBeLessThan(
      renderHtml(letter, "Heron Weekly").indexOf("<table"),
    );
  });
});

/** A picture has the numbers that plain text lists. */
const withoutDrawn = (block: Block): Block =>
  typeof block !== "string" && block.kind === "chart" ? { ...block, lines: [] } : block;

const KEPT_TAGS = new Set(
  "html head meta title style body div table thead tbody tr th td p a br img".split(" "),
);
const KEPT_ATTRIBUTES = new Set(
  "lang charset name content style class role width cellpadding cellspacing border align bgcolor href scope src alt".split(
    " ",
  ),
);

const hostile = fc.oneof(
  fc.constantFrom(
    '"><script>alert(1)</script>',
    "'; </style><img src=x onerror=alert(1)>",
    "<!-- ",
    "]]> &lt;b&gt; &#60;",
    "</title><a href='https://evil.example'>click</a>",
    "a\r\nBcc: eve@example.com\r\n\r\n<h1>hi</h1>",
    "\u202egnp.exe",
  ),
  fc.string({ unit: "binary", minLength: 1 }),
);

it("keeps what people have typed a text, wherever it is repeated", () => {
  const plain = new Map(
    everyLetter({ name: "x", note: "x\ny" }).map(([name, letter]) => [
      name,
      takeApart(renderHtml(letter, "Heron Weekly")),
    ]),
  );
  fc.assert(
    fc.property(hostile, hostile, (name, note) => {
      for (const [which, letter] of everyLetter({ name, note })) {
        const { tags, attributes, links } = takeApart(renderHtml(letter, "Heron Weekly"));

        const usual = plain.get(which);
        expect([...tags].filter((tag) => !usual?.tags.has(tag))).toEqual([]);
        expect([...attributes].filter((attribute) => !usual?.attributes.has(attribute))).toEqual([]);
        expect(links.every((link) => link === URL_IN_MAILS)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it("lets no name pass for a line of ours in plain text, and no note for more than a note", () => {
  const name = "Ada\r\n\r\nYour card has expired:\nhttps://evil.example";
  const note = "Fine.\n\n-- \nFollow https://evil.example";

  for (const [which, letter] of everyLetter({ name, note })) {
    const lines = renderText(letter).split("\n");
    const begun = lines.filter((line) => /^(https:\/\/evil|Your card has|Follow https)/.test(line));

    expect(begun, which).toEqual([]);
    expect(
      lines.filter((line) => line === "-- "),
      which,
    ).toHaveLength(1);
  }
});

it("links to nothing but the web", () => {
  const letter = verificationLetter({ url: "javascript:alert(1)" });

  expect(() => renderHtml(letter, "Heron Weekly")).toThrow(TypeError);
});
