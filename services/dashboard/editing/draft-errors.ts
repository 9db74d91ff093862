import { fieldErrorsOf, messageOf } from "../shell/problems.ts";

/** What is wrong, by dotted path, in the words that stand at the inputs. */
export type DraftErrors = Readonly<Record<string, string>>;

/** What the server said of a draft: at the inputs that it names, and for the whole where that does not say it all. */
export interface Refusal {
  readonly errors: DraftErrors;
  readonly problem: string | null;
}

/** Reads an error for a form whose draft has these keys: what is about anything else has no input to stand at. */
export function refusalOf(error: unknown, keys: readonly string[]): Refusal {
  const found = Object.entries(fieldErrorsOf(error));
  const isAllShown = found.length > 0 && found.every(([path]) => keys.includes(keyOf(path)));
  return {
    errors: Object.fromEntries(found.map(([path, problems]) => [path, problems.join(" ")])),
    problem: isAllShown ? null : messageOf(error),
  };
}

/** The errors without what was said about those keys of the draft. */
export function withoutKeys(errors: DraftErrors, keys: readonly string[]): DraftErrors {
  const left = Object.entries(errors).filter(([path]) => !keys.includes(keyOf(path)));
  return left.length === Object.keys(errors).length ? errors : Object.fromEntries(left);
}

/** The key of the draft that a path begins with: `features` of `features.0.label`. */
function keyOf(path: string): string {
  return path.split(".")[0] ?? path;
}
