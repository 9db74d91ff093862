import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { type Html, html } from "#libs/html/index.ts";
import { attribute, flag } from "../page/attributes.ts";
import { type Control, describedBy, hintAndErrors, optional, type UploadTerms } from "./control.ts";
import { roomWords } from "./file-size.ts";

const KINDS = "PNG, JPEG, WebP, GIF or AVIF";

/**
 * The control of an image: its address, which is all there is without the script. With it a file can be chosen or
 * dropped, is sent to where uploads are kept, and its address is put in here.
 */
export function imageControl(control: Control, { address, maxBytes }: UploadTerms): Html {
  const { id, name, label, value } = control;
  const placeholder = attribute("placeholder", control.placeholder === "" ? "https://" : control.placeholder);
  return html`<div class="field image" role="group" aria-labelledby="${id}-label" data-image data-grants="${address}" data-types="${IMAGE_TYPES.join(",")}" data-max-bytes="${String(maxBytes)}">
<p class="label" id="${id}-label">${label}${optional(control.isRequired)}</p>
${hintAndErrors(control)}<div class="drop" data-drop hidden>
<img alt="" data-chosen hidden>
<div><label class="file"><span class="button">Choose an image</span><input type="file" class="unseen" accept="${IMAGE_TYPES.join(",")}" aria-labelledby="${id}-label ${id}-file" data-file></label>
<p class="hint" id="${id}-file">or drop it here. ${KINDS}, at most ${roomWords(maxBytes)}.</p>
<progress max="100" value="0" aria-labelledby="${id}-label" data-progress hidden></progress>
<p class="hint" role="status" data-status></p>
<button type="button" class="second small" data-cancel hidden>Stop</button>
<button type="button" class="second small" data-remove hidden>Remove the image</button></div>
</div>
<details data-address open><summary>Or give the address of an image</summary>
<label class="unseen" for="${id}">Address of the image: ${label}</label>
<input type="url" inputmode="url" id="${id}" name="${name}" value="${value}"${placeholder}${describedBy(control)}${flag("autofocus", control.isFocused)}>
<p class="hint">It is copied from there once the form is sent.</p>
</details>
<noscript><p class="hint">To upload a file, allow this page its script.</p></noscript>
</div>`;
}
