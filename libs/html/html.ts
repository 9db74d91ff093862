/** Text that is already HTML; everything else is escaped by `html`. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A template in which every value becomes text, whatever characters it holds; null leaves nothing, lists are joined. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Html | string | null | readonly Html[])[]
): Html {
  const texts = parts.map((part, index) => part + sourceOf(values[index] ?? null));
  return new Html(texts.join(""));
}

function sourceOf(value: Html | string | null | readonly Html[]): string {
  if (value === null) return "";
  if (typeof value === "string") return escapeHtml(value);
  return value instanceof Html ? value.source : value.map(({ source }) => source).join("");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
