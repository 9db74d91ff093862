import { z } from "zod";

type Issue = z.core.$ZodRawIssue;

/** What a value of the wrong type should have been, by zod's name of the type. */
const TYPES: Readonly<Record<string, string>> = {
  string: "Must be a text.",
  number: "Must be a number.",
  int: "Must be an integer.",
  boolean: "Must be true or false.",
  array: "Must be a list.",
  object: "Must be an object.",
  record: "Must be an object.",
};

/**
 * The sentence for a broken rule that has none of its own. It names the limit, and speaks of values as an integrator does,
 * not as the library that checks them.
 */
function plainMessage(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "This is required.";
      if (issue.expected === "number" && typeof issue.input === "number") return "Must be a finite number.";
      return TYPES[issue.expected] ?? "Has the wrong type.";
    case "too_small":
      return atLeast(issue.origin, Number(issue.minimum), issue.inclusive === false);
    case "too_big":
      return atMost(issue.origin, Number(issue.maximum), issue.inclusive === false);
    case "invalid_value":
      if (issue.input === undefined) return "This is required.";
      return `Must be ${listed(issue.values.map(String))}.`;
    case "invalid_format":
      return issue.format === "datetime"
        ? "Must be an instant in UTC with milliseconds."
        : "Has the wrong form.";
    default:
      return "Is not a valid value.";
  }
}

function atLeast(origin: string, minimum: number, isAbove: boolean): string {
  if (origin === "string") return `Must have at least ${counted(minimum, "character")}.`;
  if (origin === "array") return `Must have at least ${counted(minimum, "element")}.`;
  return isAbove ? `Must be above ${minimum}.` : `Must be at least ${minimum}.`;
}

function atMost(origin: string, maximum: number, isBelow: boolean): string {
  if (origin === "string") return `Must have at most ${counted(maximum, "character")}.`;
  if (origin === "array") return `Must have at most ${counted(maximum, "element")}.`;
  return isBelow ? `Must be below ${maximum}.` : `Must be at most ${maximum}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function listed(values: readonly string[]): string {
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

// Every schema asks here for the sentence of a rule that has none, in whatever endpoint it is.
z.config({ customError: plainMessage });
