import type { Field } from "#libs/contract/fields.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { type ExternalImages, whyNotCopied } from "../../media/image-copies/external-images.ts";
import { safeHref } from "../page/layout.ts";
import type { Draft } from "./draft.ts";

/** The submitted ad content as a list, with the reason why an external image is not shown yet. */
export function valuesList(
  { name, websiteUrl, values }: Draft,
  fields: readonly Field[],
  waiting: ExternalImages,
  uploads: Pick<Uploads, "locate">,
): Html {
  const given = fields.flatMap((field) => {
    const value = values.get(field.key) ?? "";
    return value === ""
      ? []
      : [line(field.name, html`${shown(field, value, uploads)}${copyNote(waiting[field.id])}`)];
  });
  return html`<dl class="values">${[line("Name", html`${name}`), line("Website", addressOf(websiteUrl)), ...given]}</dl>`;
}

function line(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function copyNote(image: ExternalImages[string] | undefined): Html | null {
  return image === undefined ? null : html`<p class="hint">${whyNotCopied(image)}</p>`;
}

function shown({ type, name }: Field, value: string, uploads: Pick<Uploads, "locate">): Html {
  switch (type) {
    case "Image":
      return uploads.locate(value) === null
        ? addressOf(value)
        : html`<img class="value-image" src="${safeHref(value) ?? ""}" alt="${name}">`;
    case "Url":
      return addressOf(value);
    case "Switch":
      return html`${value === "true" ? "Yes" : "No"}`;
    case "Color":
      return /^#[0-9a-f]{6}$/.test(value)
        ? html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${value}"/></svg> ${value}`
        : html`${value}`;
    case "Text":
    case "Textarea":
    case "Email":
    case "Number":
    case "Select":
    case "Date":
      return html`${value}`;
  }
}

/** A link for a web address, else text. */
function addressOf(value: string): Html {
  const href = safeHref(value);
  return href === null ? html`${value}` : html`<a href="${href}" rel="noopener nofollow">${value}</a>`;
}
