import { type Html, html } from "#libs/html/index.ts";
import { type ImagesElsewhere, whyNotCopied } from "../../image-copies/elsewhere.ts";
import { safeHref } from "../page/layout.ts";
import type { Draft } from "./draft.ts";
import type { ShownField } from "./visit.ts";

/** All that was submitted, as a list, with what keeps images elsewhere from being shown. */
export function valuesList(
  { name, websiteUrl, values }: Draft,
  fields: readonly ShownField[],
  waiting: ImagesElsewhere,
): Html {
  const given = fields.flatMap((field) => {
    const value = values.get(field.key) ?? "";
    return value === "" ? [] : [line(field.name, html`${shown(field, value)}${copyNote(waiting[field.id])}`)];
  });
  return html`<dl class="values">${[line("Name", html`${name}`), line("Website", addressOf(websiteUrl)), ...given]}</dl>`;
}

function line(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function copyNote(image: ImagesElsewhere[string] | undefined): Html | null {
  return image === undefined ? null : html`<p class="hint">${whyNotCopied(image)}</p>`;
}

function shown({ type }: ShownField, value: string): Html {
  switch (type) {
    case "Url":
    case "Image":
      return addressOf(value);
    case "Switch":
      return html`${value === "true" ? "Yes" : "No"}`;
    case "Color":
      return /^#[0-9a-f]{6}$/.test(value)
        ? html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${value}"/></svg> ${value}`
        : html`${value}`;
    default:
      return html`${value}`;
  }
}

/** A link where the address is one of the web, else text. */
function addressOf(value: string): Html {
  const href = safeHref(value);
  return href === null ? html`${value}` : html`<a href="${href}" rel="noopener nofollow">${value}</a>`;
}
