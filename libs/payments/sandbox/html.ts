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

/** A template in which every value becomes text, whatever characters it holds; null leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly (Html | string | null)[]): Html {
  const texts = parts.map((part, index) => {
    const value = values[index] ?? null;
    if (value === null) return part;
    return part + (value instanceof Html ? value.source : escapeHtml(value));
  });
  return new Html(texts.join(""));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
