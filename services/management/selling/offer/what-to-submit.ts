import type { Field } from "#libs/contract/fields.ts";
import { LONGEST_TEXT } from "#libs/domain/field-content.ts";
import { imageRulesWords } from "#libs/domain/image-rules.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { IMAGE_KINDS } from "../page/shared-words.ts";

/** What an advertiser has to submit for an ad, before paying. */
export function whatToSubmit(fields: readonly Field[]): Html {
  return html`<section class="card" aria-labelledby="what"><h2 id="what">What you submit</h2>
<p class="hint">You'll fill this in after paying.</p>
<dl class="values">
${part("Name", true, upTo(LONGEST.name))}
${part("Website", true, "The page people land on when they click.")}
${fields.map((field) => part(field.name, field.isRequired, wordsOf(field)))}
</dl></section>`;
}

function part(name: string, isRequired: boolean, words: string): Html {
  return html`<div><dt>${name}</dt><dd><strong>${isRequired ? "Required" : "Optional"}</strong>${words === "" ? "" : ` · ${words}`}</dd></div>`;
}

/** What the field takes, in a few words. */
function wordsOf({ type, maxLength, min, max, options, image, description }: Field): string {
  switch (type) {
    case "Text":
      return upTo(maxLength ?? LONGEST_TEXT.Text);
    case "Textarea":
      return upTo(maxLength ?? LONGEST_TEXT.Textarea);
    case "Image":
      return [image === null ? "" : imageRulesWords(image), `${IMAGE_KINDS}.`].join(" ").trim();
    case "Select":
      return `One of: ${options.join(", ")}.`;
    case "Number":
      return [min === null ? "" : `At least ${min}.`, max === null ? "" : `At most ${max}.`].join(" ").trim();
    case "Url":
    case "Email":
    case "Switch":
    case "Date":
    case "Color":
      return description;
  }
}

function upTo(characters: number): string {
  return `Up to ${formats.count(characters)} characters.`;
}
