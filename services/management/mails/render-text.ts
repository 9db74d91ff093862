import { oneLine } from "#libs/mail/index.ts";
import type { Block, Figures, Letter } from "./letter.ts";

/** A letter as plain text. Only a quote has line breaks of its own, so no name can pass for a paragraph of ours. */
export function renderText({ blocks, footer, footerLink }: Letter): string {
  const last = footerLink === undefined ? [] : [renderLink(footerLink)];
  const parts = [...blocks.map(renderBlock), `-- \n${[oneLine(footer), ...last].join("\n")}`];
  return `${parts.join("\n\n")}\n`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "text":
      return oneLine(block.text);
    case "quote":
      return linesOf(block.text)
        .map((line) => `  ${line}`.trimEnd())
        .join("\n");
    case "link":
      return renderLink(block);
    case "figures":
      return renderFigures(block);
  }
}

function renderLink({ label, url }: { readonly label: string; readonly url: string }): string {
  return `${oneLine(label)}:\n${url}`;
}

/** One thing after the other, as columns fall apart in proportional letters. */
function renderFigures({ head, rows, total }: Figures): string {
  const [, ...names] = head;
  const all = total === undefined ? rows : [...rows, total];
  return all
    .map(([thing, ...numbers]) => {
      const figures = numbers.map((number, index) => `${names[index] ?? ""} ${number}`);
      return `${oneLine(thing)}\n  ${figures.join(", ")}`;
    })
    .join("\n");
}

/** The lines of a quote, each without what could break it once more. */
export function linesOf(words: string): string[] {
  return words
    .trim()
    .split(/\r\n|\r|\n/)
    .map(oneLine);
}
