import { firstAddress, firstText, pointTo } from "./creative.ts";
import type { Ad } from "./types/embed.d.mts";

/**
 * The site's own drawing of an ad, with the ad's values in it: `data-placard-text="name"` is given a text,
 * `data-placard-src="faviconUrl"` an address, and both are left out where there is none; `data-placard-link` is
 * pointed to the advertiser. Keys may be comma-joined. One element: its own where it has one, else one around it.
 */
export function drawFromTemplate(template: HTMLTemplateElement, ad: Ad): HTMLElement {
  const copy = document.importNode(template.content, true);
  for (const element of copy.querySelectorAll<HTMLElement>("[data-placard-text]")) {
    const words = firstText(ad, element.dataset.placardText ?? "");
    if (words === "") element.remove();
    else element.textContent = words;
  }
  for (const element of copy.querySelectorAll<HTMLElement>("[data-placard-src]")) {
    const address = firstAddress(ad, element.dataset.placardSrc ?? "");
    if (address === null) element.remove();
    else element.setAttribute("src", address);
  }
  for (const link of copy.querySelectorAll("a")) {
    if (link.dataset.placardLink !== undefined) pointTo(link, ad);
  }

  const [only, ...others] = copy.children;
  if (only instanceof HTMLElement && others.length === 0) return only;
  const around = document.createElement("div");
  around.append(copy);
  return around;
}
