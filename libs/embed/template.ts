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

  return oneElement(copy);
}

/** As an ad from the template, but empty and hidden: it takes the room until the ad is there. */
export function drawSpace(template: HTMLTemplateElement): HTMLElement {
  const copy = document.importNode(template.content, true);
  for (const element of copy.querySelectorAll("[data-placard-text]")) element.textContent = "\u00a0";
  const space = oneElement(copy);
  space.style.setProperty("visibility", "hidden", "important");
  space.setAttribute("aria-hidden", "true");
  return space;
}

/** The only element of a fragment, else one around all of it. */
function oneElement(content: DocumentFragment): HTMLElement {
  const [only, ...others] = content.children;
  if (only instanceof HTMLElement && others.length === 0) return only;
  const around = document.createElement("div");
  around.append(content);
  return around;
}
