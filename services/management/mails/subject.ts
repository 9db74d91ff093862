/**
 * What mail programs make a link of: an e-mail address, an address with its scheme, or a host with a name at its end.
 * The other dots are those that browsers read as one.
 */
const LINK = /@|:\/\/|[\p{L}\p{N}-][.\u3002\uff0e\uff61]\p{L}{2}/u;

/**
 * A name that a stranger has chosen, without the e-mail addresses and links in it: nobody shall send people somewhere in
 * our name. Where nothing else is in it, its letters and digits stay, as words that link to nothing.
 */
export function withoutLinks(name: string): string {
  const words = name.split(/\s+/u).filter((word) => !LINK.test(word));
  const left = words.join(" ").trim();
  return left === "" ? name.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim() : left;
}

/** The subject of a mail. It can only be made by `subject`. */
export class Subject {
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

/** Writes a subject; whatever is put in goes through `withoutLinks`. */
export function subject(parts: TemplateStringsArray, ...names: readonly string[]): Subject {
  return Subject.of(parts, names);
}
