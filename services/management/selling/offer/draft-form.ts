import type { Field } from "#libs/contract/fields.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { imageRulesWords } from "#libs/domain/image-rules.ts";
import { cardFields } from "#libs/embed/preview.ts";
import { type Html, html } from "#libs/html/index.ts";
import { PAGE_FIELD_TYPES } from "../field-types.ts";
import { samplePreview } from "../page/preview.ts";
import { IMAGE_KINDS, limitWords } from "../page/shared-words.ts";
import { inputName } from "../submission/draft.ts";
import { nameControl, websiteControl } from "../submission/field-control.ts";
import { NAME_CONTROL, WEBSITE_CONTROL } from "../submission/submission-form.ts";

interface DraftTerms {
  readonly workspaceId: string;
  readonly fields: readonly Field[];
  readonly publicUrl: URL;
  /** The most bytes of an image. */
  readonly maxBytes: number;
}

/**
 * A sample of an ad, which with the script becomes the reader's own: what the card shows can be typed before paying. The draft stays in
 * the browser, and fills in the submission form. Without the script there is the sample alone.
 */
export function draftSection({ workspaceId, fields, publicUrl, maxBytes }: DraftTerms): Html {
  const controls = cardFields(fields).map((field) => draftControl(field, maxBytes));
  return html`<section class="beside" id="your-ad" aria-label="Your ad">
<form class="card" novalidate hidden data-draft="${workspaceId}">
<h2>See your ad before you pay</h2>
<p class="hint">Nothing is sent. We keep it in this browser and fill it in for you once you've paid.</p>
${[nameControl({ ...NAME_CONTROL, ...EMPTY }), websiteControl({ ...WEBSITE_CONTROL, ...EMPTY }), ...controls]}
<p class="actions"><a class="button" href="#placements">Choose a placement</a> <button type="reset" class="second">Clear</button></p>
</form>
<div class="preview"><h2>How ads look here</h2>
${samplePreview(fields, publicUrl)}
<p class="hint">The site sets colors and width.</p></div></section>`;
}

/** Nothing has to be written here. */
const EMPTY = { value: "", isRequired: null, errors: [], isFocused: false };
const NO_UPLOAD = { address: "", maxBytes: 0 };

function draftControl(field: Field, maxBytes: number): Html {
  const control = {
    id: `field-${field.key}`,
    name: inputName(field),
    label: field.name,
    hint: field.description,
    placeholder: field.placeholder,
    ...EMPTY,
  };
  if (field.type !== "Image") return PAGE_FIELD_TYPES[field.type].control(control, field, NO_UPLOAD);
  const rules = field.image === null ? "" : imageRulesWords(field.image);
  const hints = [field.description, rules, `${IMAGE_KINDS}, up to ${limitWords(maxBytes)}.`];
  return html`<div class="field">
<label for="${control.id}">${field.name}</label>
<p class="hint" id="${control.id}-hint">${hints.filter((hint) => hint !== "").join("\n")}</p>
<input type="file" id="${control.id}" name="${control.name}" accept="${IMAGE_TYPES.join(",")}" aria-describedby="${control.id}-hint" data-local="${JSON.stringify({ types: IMAGE_TYPES, maxBytes, image: field.image })}">
<p class="hint" role="status" data-status></p>
</div>`;
}
