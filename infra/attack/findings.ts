/** What an attack has found and how much it has tried. */
export class Findings {
  readonly #found = new Map<string, { readonly example: string; times: number }>();
  readonly #counts = new Map<string, number>();

  /** Records a finding. Findings with the same `what` are counted together; `example` shows the first. */
  add(what: string, example: string): void {
    const known = this.#found.get(what);
    if (known === undefined) this.#found.set(what, { example, times: 1 });
    else known.times += 1;
  }

  /** Counts something that was tried: `requests`, `routes`. */
  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  /** The findings since the last call, each with an example and how often it was met. */
  take(): string[] {
    const found = [...this.#found].map(
      ([what, { example, times }]) => `${what} (${times} times): ${example}`,
    );
    this.#found.clear();
    return found;
  }

  /** One line that describes the attempt. */
  summary(name: string): string {
    const counts = [...this.#counts].map(([what, number]) => `${number.toLocaleString("en")} ${what}`);
    return `${name}: ${counts.join(", ")}`;
  }
}
