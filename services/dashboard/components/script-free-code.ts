import { Html, html } from "#libs/html/index.ts";

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
  const name = onOneLine(ad.name);
  if (place === "README") return `[${escapeMarkdown(name)}](${path}/click)`;
  const { source } =
    html`<a href="${path}/click" rel="sponsored noopener">${escapeTags(name)}</a><img src="${path}/impression.gif" alt="" width="1" height="1">`;
  return place === "Newsletter" ? source : `<description><![CDATA[${source}]]></description>`;
}

/** An empty line would end a link in Markdown, and XML has no place for some of these characters. */
function onOneLine(text: string): string {
  return text.replace(/[\s\ufffe\uffff]+/g, " ");
}

/** https://spec.commonmark.org/0.31.2/#backslash-escapes */
function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** As HTML in which no newsletter service finds a merge tag (`{{…}}`, `{%…%}`, `*|…|*`, `%%…%%`, `[…]`, `${…}`): names are advertisers' texts. */
function escapeTags(text: string): Html {
  const { source } = html`${text}`;
  return new Html(source.replace(/[{}[\]%*|$]/g, (character) => `&#${character.charCodeAt(0)};`));
}
