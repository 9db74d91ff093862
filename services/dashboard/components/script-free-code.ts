import { html } from "#libs/html/index.ts";

/** Where an ad can stand without script. */
export const SCRIPT_FREE_PLACES = ["Newsletter", "Feed", "README"] as const;
export type ScriptFreePlace = (typeof SCRIPT_FREE_PLACES)[number];

interface LinkedAd {
  readonly id: string;
  readonly name: string;
}

/**
 * A link to the ad that counts clicks; in newsletters and feeds with the image that counts impressions. README pages get none,
 * because their hosts load images through a proxy that hides who looks.
 */
export function scriptFreeCode(origin: string, ad: LinkedAd, place: ScriptFreePlace): string {
  const path = `${origin}/v1/ads/${ad.id}`;
  if (place === "README") return `[${escapeMarkdown(ad.name)}](${path}/click)`;
  const { source } =
    html`<a href="${path}/click" rel="sponsored noopener">${ad.name}</a><img src="${path}/impression.gif" alt="" width="1" height="1">`;
  return place === "Newsletter" ? source : `<description><![CDATA[${source}]]></description>`;
}

/** https://spec.commonmark.org/0.31.2/#backslash-escapes */
function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
