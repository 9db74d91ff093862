import type { Ad } from "./types/embed.d.mts";
import { webAddress } from "./web-address.ts";

/** Keys of fields in which advertisers usually write such a thing; a slot can name its own. */
export const USUAL_KEYS = {
  text: "tagline,description,text,body",
  image: "image,banner,picture",
  icon: "logo,icon,faviconUrl",
  button: "button,button_label,cta,call_to_action",
} as const;

/** A value of an ad as text: `name`, `websiteUrl`, `host`, or the key of a field. Empty where there is none. */
export function textOf(ad: Ad, name: string): string {
  if (name === "name" || name === "websiteUrl" || name === "faviconUrl") return ad[name];
  if (name === "host") return new URL(ad.websiteUrl).host.replace(/^www\./, "");
  const value = Object.hasOwn(ad.meta ?? {}, name) ? ad.meta[name] : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The first text that one of the comma-joined keys has. */
export function firstText(ad: Ad, keys: string): string {
  return (
    keys
      .split(",")
      .map((key) => textOf(ad, key.trim()))
      .find((text) => text !== "") ?? ""
  );
}

/** The first of the keys' values that is a web address, else null. */
export function firstAddress(ad: Ad, keys: string): string | null {
  return (
    keys
      .split(",")
      .map((key) => webAddress(textOf(ad, key.trim())))
      .find((address) => address !== null) ?? null
  );
}

/** Lets a link lead to the advertiser, in a tab of its own; nowhere while an ad that is being written has no website. */
export function pointTo(link: HTMLAnchorElement, ad: Ad): void {
  const address = webAddress(ad.websiteUrl);
  if (address === null) link.removeAttribute("href");
  else link.href = address;
  link.target = "_blank";
  link.rel = "sponsored noopener";
}
