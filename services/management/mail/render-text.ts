import { oneLine } from "#libs/mail/index.ts";
import type { Block, Figures, Letter } from "./letter.ts";

/** A letter as plain text. Only a quote has its own line breaks, so that no name can pass for our paragraph. */
export function renderText({ blocks, footer, footerLink }: Letter): string {
  const last = footerLink === undefined ? [] : [renderLink(footerLink)];
  const parts = [...blocks.map(renderBlock), `-- \n${[oneLine(footer), ...last].join("\n")}`];
  return `${parts.join("\n\n")}\n`;
}

function renderBlock(block: Block): string {
  if (typeof block === "string") return oneLine(block);
  switch (block.kind) {
    case "quote":
      return linesOf(block.text)
        .map((line) => `  ${line}`.trimEnd())
        .join("\n");
    case "link":
      return renderLink(block);
    case "figures":
      return renderFigures(block);
    case "chart":
      return [block.caption, ...block.lines.map((line) => `  ${line}`)].join("\n");
  }
}

function renderLink({ label, url }: { readonly label: string; readonly url: string }): string {
  return `${oneLine(label)}:\n${url}`;
}

/** One row after the other, because columns do not align in proportional fonts. */
function renderFigures({ head, rows, total }: Figures): string {
  const [, ...names] = head;
  const all = total === undefined ? rows : [...rows, total];
  return all
    .map(([name, ...numbers]) => {
      const figures = numbers.map((number, index) => `${names[index] ?? ""} ${number}`);
      return `${oneLine(name)}\n  ${figures.join(", ")}`;
    })
    .join("\n");
}

/** The lines of a quote, each without characters that could break it again. */
export function linesOf(words: string): string[] {
  return words
    .trim()
    .split(/\r\n|\r|\n/)
    .map(oneLine);
}
