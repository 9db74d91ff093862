import type { Field } from "#libs/contract/fields.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { REQUIRED } from "#libs/domain/field-values.ts";
import { isWebUrl } from "#libs/domain/web-url.ts";
import type { FieldProblems } from "#libs/http/index.ts";
import type { Submission } from "../checkout/submission.ts";
import { inputName } from "./draft.ts";

const ENTER_NAME = "Enter a name.";
const ENTER_ADDRESS = "Enter a web address, such as example.com.";
const ENTER: Readonly<Record<FieldType, string>> = {
  Text: "Enter a text.",
  Textarea: "Enter a text.",
  Url: ENTER_ADDRESS,
  Email: "Enter an email address, such as you@example.com.",
  Number: "Enter a number.",
  Switch: "Choose yes or no.",
  Select: "Choose one.",
  Image: "Choose an image.",
  Date: "Choose a day.",
  Color: "Choose a color.",
};

/** The problems of a form. The contract speaks to programs; what is missing, and addresses, are asked for as people would. */
export function plainProblems(
  { formErrors, fieldErrors }: FieldProblems,
  { name, websiteUrl }: Submission,
  fields: readonly Field[],
): FieldProblems {
  const plain = new Map<string, string>();
  if (name.trim() === "") plain.set("name", ENTER_NAME);
  if (!isWebUrl(websiteUrl)) plain.set("websiteUrl", ENTER_ADDRESS);
  for (const field of fields) {
    const path = inputName(field);
    const isMissing = fieldErrors[path]?.includes(REQUIRED) ?? false;
    if (isMissing || field.type === "Url") plain.set(path, ENTER[field.type]);
  }
  const said = Object.entries(fieldErrors).map(([path, sentences]) => {
    const sentence = plain.get(path);
    return [path, sentence === undefined ? sentences : [sentence]] as const;
  });
  return { formErrors, fieldErrors: Object.fromEntries(said) };
}
