import type { Field } from "#libs/contract/fields.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { imageRulesWords } from "#libs/domain/image-rules.ts";
import { type Html, html } from "#libs/html/index.ts";
import { attribute, flag } from "../page/layout.ts";
import { IMAGE_KINDS, limitWords } from "../page/shared-words.ts";

/** A form control with its label, hint and errors. */
export interface Control {
  /** The id of the element that takes the value, and the target of links to it. */
  readonly id: string;
  /** The value's name in the form. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly value: string;
  /** Null where nothing is asked for yet, so that neither is said. */
  readonly isRequired: boolean | null;
  /** The problems of the value, in the contract's sentences. */
  readonly errors: readonly string[];
  /** Whether the page opens with it. */
  readonly isFocused: boolean;
}

/** Where images are uploaded, and the size limit. */
export interface UploadTerms {
  readonly address: string;
  readonly maxBytes: number;
}

/** The control of an ad's name. */
export function nameControl(control: Control): Html {
  return input(control, "text", html` autocomplete="organization" data-most="80"`);
}

/** The control of the page that an ad leads to. */
export function websiteControl(control: Control): Html {
  return input(control, "url", html` autocomplete="url" inputmode="url"`);
}

/** A control with its label, hint and errors around it. */
function labelled(control: Control, element: Html): Html {
  return html`<div class="field">
<label for="${control.id}"${requiredClass(control)}>${control.label}${optional(control)}</label>
${hintAndErrors(control)}${element}</div>`;
}

/** A labelled input of one line. */
export function input(control: Control, type: string, more: Html | null): Html {
  return labelled(control, bareInput(control, type, more));
}

function bareInput(control: Control, type: string, more: Html | null): Html {
  const { id, name, value } = control;
  return html`<input type="${type}" id="${id}" name="${name}" value="${value}"${placeholderOf(control)}${more}${stateOf(control)}>\n`;
}

/** A labelled input of some lines. */
export function textarea(control: Control, more: Html | null): Html {
  return labelled(
    control,
    html`<textarea id="${control.id}" name="${control.name}" rows="4"${placeholderOf(control)}${more}${stateOf(control)}>
${control.value}</textarea>\n`,
  );
}

/** A labelled choice of one of the options, or of none where it isn't required. */
export function select(control: Control, options: readonly string[]): Html {
  const choices = options.map(
    (option) =>
      html`<option value="${option}"${flag("selected", option === control.value)}>${option}</option>`,
  );
  return labelled(
    control,
    html`<select id="${control.id}" name="${control.name}"${stateOf(control)}>
<option value="">${control.isRequired ? "Choose one" : "None"}</option>${choices}
</select>\n`,
  );
}

/** The text of a color, beside which the script puts a picker. */
export function colorControl(control: Control): Html {
  const text = bareInput(control, "text", html` autocomplete="off" spellcheck="false"`);
  return labelled(control, html`<div class="color" data-color>${text}</div>\n`);
}

/** A labelled box. */
export function checkbox(control: Control): Html {
  const isChecked = control.value.trim() === "true";
  return html`<div class="field switch">
<input type="hidden" name="${control.name}" value="false">
<label><input type="checkbox" id="${control.id}" name="${control.name}" value="true"${flag("checked", isChecked)}${describedBy(control)}${flag("autofocus", control.isFocused)}><span>${control.label}</span></label>
${hintAndErrors(control)}</div>`;
}

/**
 * The control of an image: its URL, which is all there is without the script. With the script a file can be chosen or
 * dropped; it is uploaded, and its URL is put in here.
 */
export function imageControl(
  plain: Control,
  image: Field["image"],
  { address, maxBytes }: UploadTerms,
): Html {
  const control = withRules(plain, image);
  const { id, name, label, value } = control;
  const placeholder = attribute("placeholder", control.placeholder === "" ? "https://" : control.placeholder);
  return html`<div class="field image" role="group" aria-labelledby="${id}-label" data-image${rulesOf(image)} data-grants="${address}" data-types="${IMAGE_TYPES.join(",")}" data-max-bytes="${String(maxBytes)}">
<p class="label${control.isRequired ? " required" : ""}" id="${id}-label">${label}${optional(control)}</p>
${hintAndErrors(control)}<div class="drop" data-drop hidden>
<img alt="" data-chosen hidden>
<div><label class="file"><span class="button">Choose an image</span><input type="file" class="unseen" accept="${IMAGE_TYPES.join(",")}" aria-labelledby="${id}-label ${id}-file" data-file></label>
<p class="hint" id="${id}-file">or drop it here. ${IMAGE_KINDS}, up to ${limitWords(maxBytes)}.</p>
<progress max="100" value="0" aria-labelledby="${id}-label" data-progress hidden></progress>
<p class="hint" role="status" data-status></p>
<button type="button" class="second small" data-cancel hidden>Cancel</button>
<button type="button" class="second small" data-remove hidden>Remove image</button></div>
</div>
<details data-address open><summary>Or use an image URL</summary>
<label class="unseen" for="${id}">Image URL: ${label}</label>
<input type="url" inputmode="url" id="${id}" name="${name}" value="${value}"${placeholder}${describedBy(control)}${flag("autofocus", control.isFocused)}>
<p class="hint">We copy the image when you submit the form.</p>
</details>
<noscript><p class="hint">Turn on JavaScript to upload a file.</p></noscript>
</div>`;
}

function rulesOf(image: Field["image"]): Html | null {
  return image === null ? null : html` data-rules="${JSON.stringify(image)}"`;
}

/** What the field asks of its image is part of the hint. */
function withRules(control: Control, image: Field["image"]): Control {
  const rules = image === null ? "" : imageRulesWords(image);
  return { ...control, hint: [control.hint, rules].filter((line) => line !== "").join("\n") };
}

/** A star by the style sheet, so that it is no part of the label that is read out: `required` says it there. */
function requiredClass({ isRequired }: Control): Html | null {
  return isRequired === true ? html` class="required"` : null;
}

/** Marks what may be left out. */
function optional({ isRequired }: Control): Html | null {
  return isRequired === false ? html` <span class="optional">optional</span>` : null;
}

/** The hint and the errors, with the ids that `describedBy` names. */
function hintAndErrors({ id, hint, errors }: Control): Html {
  const sentences = errors.map((error) => html`<span>${error}</span>`);
  return html`${hint === "" ? null : html`<p class="hint" id="${id}-hint">${hint}</p>\n`}${
    errors.length === 0 ? null : html`<p class="error" id="${id}-error">${sentences}</p>\n`
  }`;
}

function describedBy({ id, hint, errors }: Control): Html {
  const ids = [...(hint === "" ? [] : [`${id}-hint`]), ...(errors.length === 0 ? [] : [`${id}-error`])];
  const isInvalid = attribute("aria-invalid", errors.length === 0 ? null : "true");
  return html`${attribute("aria-describedby", ids.length === 0 ? null : ids.join(" "))}${isInvalid}`;
}

function stateOf(control: Control): Html {
  return html`${describedBy(control)}${flag("required", control.isRequired === true)}${flag("autofocus", control.isFocused)}`;
}

function placeholderOf({ placeholder }: Control): Html | null {
  return attribute("placeholder", placeholder === "" ? null : placeholder);
}

/** No `maxlength`: browsers count differently from the contract and would cut an emoji. The script shows the count. */
export function mostOf(maxLength: number | null): Html | null {
  return maxLength === null ? null : html` data-most="${String(maxLength)}"`;
}
