import { type Html, html } from "#libs/html/index.ts";
import { attribute } from "../page/attributes.ts";

/** A form control with all that stands around it. */
export interface Control {
  /** Of the element that takes the value; also what links to it. */
  readonly id: string;
  /** Of the value in the form. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isRequired: boolean;
  /** What is wrong with the value, in the contract's sentences. */
  readonly errors: readonly string[];
  /** Whether the page opens with it. */
  readonly isFocused: boolean;
}

/** Where images are uploaded, and what is taken. */
export interface UploadTerms {
  readonly address: string;
  readonly maxBytes: number;
}

/** What is said after the label of what may be left out. */
export function optional(isRequired: boolean): Html | null {
  return isRequired ? null : html` <span class="optional">optional</span>`;
}

/** What stands around the control, with the ids that `describedBy` names. */
export function hintAndErrors({ id, hint, errors }: Pick<Control, "id" | "hint" | "errors">): Html {
  const sentences = errors.map((error) => html`<span>${error}</span>`);
  return html`${hint === "" ? null : html`<p class="hint" id="${id}-hint">${hint}</p>\n`}${
    errors.length === 0 ? null : html`<p class="error" id="${id}-error">${sentences}</p>\n`
  }`;
}

/** The attributes that tie a control to its hint and its errors. */
export function describedBy({ id, hint, errors }: Pick<Control, "id" | "hint" | "errors">): Html {
  const ids = [...(hint === "" ? [] : [`${id}-hint`]), ...(errors.length === 0 ? [] : [`${id}-error`])];
  return html`${attribute("aria-describedby", ids.length === 0 ? null : ids.join(" "))}${attribute(
    "aria-invalid",
    errors.length === 0 ? null : "true",
  )}`;
}
