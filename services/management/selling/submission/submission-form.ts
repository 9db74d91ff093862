import type { Field } from "#libs/contract/fields.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { FieldProblems } from "#libs/http/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { PAGE_FIELD_TYPES } from "../field-types.ts";
import { attribute } from "../page/layout.ts";
import { adPreview } from "../page/preview.ts";
import { type Draft, inputName } from "./draft.ts";
import { type Control, nameControl, type UploadTerms, websiteControl } from "./field-control.ts";

interface SubmissionForm {
  /** Where the form goes. */
  readonly action: string;
  readonly fields: readonly Field[];
  readonly draft: Draft;
  /** Why the last attempt was refused, in the contract's sentences and paths; null for a first one. */
  readonly problems: FieldProblems | null;
  readonly button: string;
  readonly upload: UploadTerms;
  readonly uploads: Pick<Uploads, "locate" | "origins">;
  /** The icon of the website that the draft began with. */
  readonly faviconUrl: string | null;
  /** The workspace whose draft from before the payment fills the form; null for none. */
  readonly draftOf: string | null;
}

/** The controls that every ad has. */
export const NAME_CONTROL = {
  id: "creative-name",
  name: "name",
  label: "Name",
  hint: "The headline of your ad, for example your company or product.",
  placeholder: "",
  isRequired: true,
};
export const WEBSITE_CONTROL = {
  id: "creative-website",
  name: "websiteUrl",
  label: "Website",
  hint: "The page people land on when they click.",
  placeholder: "example.com",
  isRequired: true,
};

type Part = readonly [control: Control, draw: (control: Control) => Html];

/** The form of an ad with a preview. */
export function submissionForm(form: SubmissionForm): Html {
  const { action, fields, draft, problems, button, upload, uploads, faviconUrl, draftOf } = form;
  const parts = partsOf(fields, draft, problems, upload);
  const controls = parts.map(([control, draw]) => draw(control));
  return html`<div class="beside">
<form class="card" method="post" action="${action}" novalidate data-submission${attribute("data-draft-of", draftOf)}>
${draftOf === null ? null : html`<p class="note wait" role="status" data-restored hidden>Filled in with what you typed before you paid. Check it, then submit.</p>`}
${problems === null ? null : summaryOf(problems, parts)}
<p class="hint"><span class="star" aria-hidden="true">*</span> Required</p>
${controls}
<p class="hint" role="status" data-waits></p>
<button class="primary">${button}</button>
</form>
<aside class="preview" aria-labelledby="preview"><h2 id="preview" class="small">Preview</h2>
${adPreview({ ...draft, faviconUrl }, fields, uploads, true)}
<p class="hint">The site sets colors and width.</p></aside>
</div>`;
}

function partsOf(
  fields: readonly Field[],
  draft: Draft,
  problems: FieldProblems | null,
  upload: UploadTerms,
): Part[] {
  let isFocusGiven = false;
  const place = (control: Omit<Control, "errors" | "isFocused">, draw: Part[1]): Part => {
    const errors = problems?.fieldErrors[control.name] ?? [];
    const isFocused = errors.length > 0 && !isFocusGiven;
    isFocusGiven ||= isFocused;
    return [{ ...control, errors, isFocused }, draw];
  };
  return [
    place({ ...NAME_CONTROL, value: draft.name }, nameControl),
    place({ ...WEBSITE_CONTROL, value: draft.websiteUrl }, websiteControl),
    ...fields.map((field) =>
      place(
        {
          // No other id on the page has this prefix.
          id: `field-${field.key}`,
          name: inputName(field),
          label: field.name,
          hint: field.description,
          placeholder: field.placeholder,
          value: draft.values.get(field.key) ?? "",
          isRequired: field.isRequired,
        },
        (control) => PAGE_FIELD_TYPES[field.type].control(control, field, upload),
      ),
    ),
  ];
}

/** All problems, with links to their controls. */
function summaryOf({ formErrors, fieldErrors }: FieldProblems, parts: readonly Part[]): Html {
  const known = new Map(parts.map(([control]) => [control.name, control]));
  const inFields = Object.entries(fieldErrors).map(([path, sentences]) => {
    const control = known.get(path);
    const sentence = sentences.join(" ");
    if (control === undefined) return html`<li>${sentence}</li>`;
    return html`<li><a href="#${control.id}">${control.label}</a>: ${sentence}</li>`;
  });
  const lines = [...formErrors.map((error) => html`<li>${error}</li>`), ...inFields];
  return html`<div class="note bad" role="alert" data-problems><p><strong>Please fix the following:</strong></p><ul>${lines}</ul></div>`;
}
