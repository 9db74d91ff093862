import { type Html, html } from "#libs/html/index.ts";
import { attribute, flag } from "../page/attributes.ts";
import { type Control, describedBy, hintAndErrors, optional, type UploadTerms } from "./control.ts";
import { imageControl } from "./image-control.ts";
import type { ShownField } from "./visit.ts";

/** What a control needs to know of its field. */
export type ControlKind =
  | Pick<ShownField, "type" | "options" | "maxLength" | "min" | "max">
  | { readonly type: "Name" | "Website" };

/** A labelled control with its hint and its errors, of the kind that the field's type asks for. */
export function fieldControl(control: Control, kind: ControlKind, upload: UploadTerms): Html {
  if (kind.type === "Image") return imageControl(control, upload);
  const described = describedBy(control);
  if (kind.type === "Switch") {
    return html`<div class="field switch">
<input type="hidden" name="${control.name}" value="false">
<label><input type="checkbox" id="${control.id}" name="${control.name}" value="true"${flag("checked", control.value.trim() === "true")}${described}${flag("autofocus", control.isFocused)}><span>${control.label}</span></label>
${hintAndErrors(control)}</div>`;
  }
  return html`<div class="field">
${labelOf(control)}
${hintAndErrors(control)}${inputOf(control, kind, described)}</div>`;
}

/** The label; what is optional says so, as most is not. */
function labelOf({ id, label, isRequired }: Control): Html {
  return html`<label for="${id}">${label}${optional(isRequired)}</label>`;
}

function inputOf(control: Control, kind: ControlKind, described: Html): Html {
  const { id, name, value } = control;
  const rest = html`${described}${flag("required", control.isRequired)}${flag("autofocus", control.isFocused)}`;
  const placeholder = attribute("placeholder", control.placeholder === "" ? null : control.placeholder);
  const input = (type: string, more: Html | null = null) =>
    html`<input type="${type}" id="${id}" name="${name}" value="${value}"${placeholder}${more}${rest}>\n`;
  switch (kind.type) {
    case "Name":
      return input("text", html` autocomplete="organization" data-most="80"`);
    case "Website":
      return input("url", html` autocomplete="url" inputmode="url"`);
    case "Url":
      return input("url", html` inputmode="url"`);
    case "Email":
      return input("email", html` autocomplete="email"`);
    case "Number":
      return input("text", html` inputmode="decimal" autocomplete="off"`);
    case "Date":
      return input("date");
    case "Color":
      return html`<div class="color" data-color>${input("text", html` autocomplete="off" spellcheck="false"`)}</div>\n`;
    case "Select":
      return html`<select id="${id}" name="${name}"${rest}>
${[html`<option value="">${control.isRequired ? "Choose one" : "None"}</option>`, ...kind.options.map((option) => html`<option value="${option}"${flag("selected", option === value)}>${option}</option>`)]}
</select>\n`;
    case "Textarea":
      return html`<textarea id="${id}" name="${name}" rows="4"${placeholder}${mostOf(kind)}${rest}>
${value}</textarea>\n`;
    case "Text":
      return input("text", mostOf(kind));
    default:
      return input("text");
  }
}

/** No `maxlength`: browsers count otherwise than the contract, which would cut an emoji. The script shows the count. */
function mostOf(kind: ControlKind): Html | null {
  const most = "maxLength" in kind ? kind.maxLength : null;
  return most === null ? null : html` data-most="${String(most)}"`;
}
