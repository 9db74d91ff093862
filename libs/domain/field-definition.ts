import type { FieldRules } from "./field.ts";
import { type ContentRules, checkContent, LONGEST_TEXT, readDefault } from "./field-content.ts";
import { checkImageRules } from "./image-rules.ts";
import { isNoLongerThan, isStorable } from "./storable-text.ts";

/** The parts of a field that have to fit each other. */
export type FieldDefinition = ContentRules & Pick<FieldRules, "default" | "image">;

export const MOST_OPTIONS = 100;
export const LONGEST_OPTION = 200;

/**
 * The problems of a field as it would be after its creation or change, by dotted path (`options.1`, `default`); empty without
 * problems. Each limit needs its type, and the field must accept its own default.
 */
export function checkFieldDefinition(definition: FieldDefinition): Record<string, string[]> {
  const problems = {
    ...optionProblems(definition),
    ...lengthProblems(definition),
    ...boundProblems(definition),
    ...imageProblems(definition),
  };
  // The default is checked against sound limits only.
  return Object.keys(problems).length > 0 ? problems : defaultProblems(definition);
}

function optionProblems({ type, options }: FieldDefinition): Record<string, string[]> {
  if (type !== "Select") return options.length === 0 ? {} : { options: ["Only a Select has options."] };
  if (options.length === 0) return { options: ["A Select needs at least one option."] };
  if (options.length > MOST_OPTIONS) return { options: [`Must have at most ${MOST_OPTIONS} options.`] };
  const seen = new Set<string>();
  const problems: Record<string, string[]> = {};
  for (const [index, option] of options.entries()) {
    const problem = optionProblem(option, seen);
    if (problem !== null) problems[`options.${index}`] = [problem];
    seen.add(option);
  }
  return problems;
}

function optionProblem(option: string, seen: ReadonlySet<string>): string | null {
  if (!isNoLongerThan(LONGEST_OPTION, option)) return `Must have at most ${LONGEST_OPTION} characters.`;
  if (option.trim() === "") return "Must not be empty.";
  if (!isStorable(option)) return "Must not contain control characters or broken Unicode.";
  return seen.has(option) ? "The option is there twice." : null;
}

function lengthProblems({ type, maxLength }: FieldDefinition): Record<string, string[]> {
  if (maxLength === null) return {};
  if (type !== "Text" && type !== "Textarea") return { maxLength: ["Only a Text or Textarea has a length."] };
  const isSound = Number.isInteger(maxLength) && maxLength >= 1 && maxLength <= LONGEST_TEXT[type];
  return isSound ? {} : { maxLength: [`Must be a whole number from 1 to ${LONGEST_TEXT[type]}.`] };
}

function boundProblems({ type, min, max }: FieldDefinition): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  for (const [path, bound] of Object.entries({ min, max })) {
    if (bound === null) continue;
    if (type !== "Number") problems[path] = ["Only a Number has bounds."];
    else if (!Number.isFinite(bound)) problems[path] = ["Must be a number."];
  }
  const isSound = Object.keys(problems).length === 0;
  return isSound && min !== null && max !== null && min > max
    ? { max: ["Must not be less than the minimum."] }
    : problems;
}

function imageProblems({ type, image }: FieldDefinition): Record<string, string[]> {
  if (image === null) return {};
  if (type !== "Image") return { image: ["Only an Image has a size."] };
  const problems = Object.entries(checkImageRules(image));
  return Object.fromEntries(problems.map(([path, sentences]) => [`image.${path}`, sentences]));
}

function defaultProblems(definition: FieldDefinition): Record<string, string[]> {
  if (definition.default === "") return {};
  const checked = checkContent(definition, readDefault(definition.type, definition.default));
  return "problem" in checked ? { default: [checked.problem] } : {};
}
