import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { flag } from "../page/attributes.ts";
import { safeHref } from "../page/layout.ts";
import { type Draft, inputName } from "./draft.ts";
import { shownHost } from "./shown-host.ts";
import type { ShownField } from "./visit.ts";

/** What stands in for what has not been given yet. */
const NAME = "The name of your ad";
const SITE = "example.com";

/**
 * The ad about as sites show it: name, site, the first image, if it is ours, and the first text. The script follows the form's inputs,
 * which `data-preview` names.
 */
export function adPreview(
  { name, websiteUrl, values }: Draft,
  fields: readonly ShownField[],
  uploads: Pick<Uploads, "locate">,
): Html {
  const image = fields.find(({ type }) => type === "Image");
  const text = fields.find(({ type }) => type === "Text" || type === "Textarea");
  return html`<article class="creative" data-creative>
${image === undefined ? null : imageOf(image, ownAddress(values.get(image.key)?.trim() ?? "", uploads))}<div class="creative-words">
<p class="creative-mark">Ad</p>
<p class="creative-name" data-preview="name" data-empty="${NAME}">${name.trim() === "" ? NAME : name}</p>
${text === undefined ? null : textLine(text, values.get(text.key) ?? "")}<p class="creative-site" data-preview="websiteUrl" data-empty="${SITE}">${shownHost(websiteUrl) ?? SITE}</p>
</div>
</article>`;
}

/** An image elsewhere is shown once it is copied, here as to visitors. */
function ownAddress(address: string, uploads: Pick<Uploads, "locate">): string | null {
  return uploads.locate(address) === null ? null : safeHref(address);
}

function imageOf(field: ShownField, address: string | null): Html {
  const source = address === null ? null : html` src="${address}"`;
  return html`<img class="creative-image" alt=""${source} data-preview="${inputName(field)}"${flag("hidden", address === null)}>\n`;
}

function textLine(field: ShownField, value: string): Html {
  return html`<p class="creative-text" data-preview="${inputName(field)}" data-empty="">${value}</p>\n`;
}
