import type { Field } from "#libs/contract/fields.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { type ExternalImages, whyNotCopied } from "../../media/image-copies/external-images.ts";
import { flag, safeHref } from "../page/layout.ts";
import { shownHost } from "../page/shared-words.ts";
import { type Draft, inputName } from "./draft.ts";

/** The submitted ad content as a list, with the reason why an external image is not shown yet. */
export function valuesList(
  { name, websiteUrl, values }: Draft,
  fields: readonly Field[],
  waiting: ExternalImages,
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

function copyNote(image: ExternalImages[string] | undefined): Html | null {
  return image === undefined ? null : html`<p class="hint">${whyNotCopied(image)}</p>`;
}

function shown({ type }: Field, value: string): Html {
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

/** The part of a preview that shows each type; the first field of each part is shown. */
const PREVIEW_PARTS: Readonly<Record<FieldType, "image" | "text" | null>> = {
  Text: "text",
  Textarea: "text",
  Url: null,
  Email: null,
  Number: null,
  Switch: null,
  Select: null,
  Image: "image",
  Date: null,
  Color: null,
};

/** Placeholders of empty parts. */
const NAME = "The name of your ad";
const SITE = "example.com";

/**
 * The ad roughly as sites show it: name, site, the first text, and the first image if it is in our store. The script
 * updates the parts from the form's inputs that `data-preview` names.
 */
export function adPreview(
  { name, websiteUrl, values }: Draft,
  fields: readonly Field[],
  uploads: Pick<Uploads, "locate">,
): Html {
  const image = fields.find(({ type }) => PREVIEW_PARTS[type] === "image");
  const text = fields.find(({ type }) => PREVIEW_PARTS[type] === "text");
  return html`<article class="creative" data-creative>
${image === undefined ? null : imageOf(image, ownAddress(values.get(image.key)?.trim() ?? "", uploads))}<div class="creative-words">
<p class="creative-mark">Ad</p>
<p class="creative-name" data-preview="name" data-empty="${NAME}">${name.trim() === "" ? NAME : name}</p>
${text === undefined ? null : textLine(text, values.get(text.key) ?? "")}<p class="creative-site" data-preview="websiteUrl" data-empty="${SITE}">${shownHost(websiteUrl) ?? SITE}</p>
</div>
</article>`;
}

/** An external image is shown once it is copied, here as to visitors. */
function ownAddress(address: string, uploads: Pick<Uploads, "locate">): string | null {
  return uploads.locate(address) === null ? null : safeHref(address);
}

function imageOf(field: Field, address: string | null): Html {
  const source = address === null ? null : html` src="${address}"`;
  return html`<img class="creative-image" alt=""${source} data-preview="${inputName(field)}"${flag("hidden", address === null)}>\n`;
}

function textLine(field: Field, value: string): Html {
  return html`<p class="creative-text" data-preview="${inputName(field)}" data-empty="">${value}</p>\n`;
}
