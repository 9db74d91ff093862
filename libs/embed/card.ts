import { CARD_STYLE } from "./card-style.ts";
import { firstAddress, firstText, pointTo, USUAL_KEYS } from "./creative.ts";
import type { Ad } from "./types/embed.d.mts";

/** How cards are shown in one place. Keys are comma-joined; the first that an ad has a value for is taken. */
export interface CardOptions {
  /** Said on each card. */
  readonly label?: string | undefined;
  readonly theme?: string | undefined;
  readonly textKeys?: string | undefined;
  readonly imageKeys?: string | undefined;
  readonly buttonKeys?: string | undefined;
  /** The size that images have, in pixels: `300x250`. Their space is reserved, and they are never cropped or enlarged. */
  readonly imageSize?: string | undefined;
}

/** An element with the ads' cards in a shadow root of its own, and the cards in the ads' order. */
export function drawCards(
  ads: readonly Ad[],
  options: CardOptions,
): { readonly host: HTMLElement; readonly cards: HTMLElement[] } {
  const { label = "Sponsored", theme } = options;
  const host = document.createElement("div");
  if (theme !== undefined) host.dataset.theme = theme;
  const root = host.attachShadow({ mode: "open" });
  addStyle(root);

  const list = part("div", "ads");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", label);
  expectSize(list, options.imageSize);
  const cards = ads.map((ad) => drawCard(ad, label, options));
  list.append(...cards);
  root.append(list);
  return { host, cards };
}

function drawCard(ad: Ad, label: string, options: CardOptions): HTMLElement {
  const {
    textKeys = USUAL_KEYS.text,
    imageKeys = USUAL_KEYS.image,
    buttonKeys = USUAL_KEYS.button,
  } = options;
  const link = part("a", "ad");
  pointTo(link, ad);

  const image = firstAddress(ad, imageKeys);
  const icon = firstAddress(ad, USUAL_KEYS.icon);
  if (image !== null) link.append(picture("image", image));
  else if (icon !== null) link.append(picture("icon", icon));

  const body = part("span", "body");
  body.append(text("name", ad.name));
  const words = firstText(ad, textKeys);
  if (words !== "") body.append(" ", text("text", words));
  link.append(body);

  const button = firstText(ad, buttonKeys);
  if (button !== "") link.append(" ", text("button", button));
  link.append(" ", text("label", label));
  return link;
}

/** Gives the images of a list their size before they are loaded; a text that is no size is ignored. */
function expectSize(list: HTMLElement, size = ""): void {
  const [, width, height] = /^\s*([1-9]\d{0,3})\s*x\s*([1-9]\d{0,3})\s*$/i.exec(size) ?? [];
  if (width === undefined) return;
  list.style.setProperty("--w", `${width}px`);
  list.style.setProperty("--h", "none");
  list.style.setProperty("--r", `${width}/${height}`);
}

/** A style element would need the site's CSP to allow it; a sheet made by a script does not. */
function addStyle(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CARD_STYLE);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(Object.assign(document.createElement("style"), { textContent: CARD_STYLE }));
  }
}

/** Named for the card's own style, and for `::part()` of the site's. */
function part<Tag extends "a" | "div" | "img" | "span">(tag: Tag, name: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = name;
  element.setAttribute("part", name);
  return element;
}

function text(name: string, words: string): HTMLElement {
  const element = part("span", name);
  // In the direction of the advertiser's text, whatever the page's.
  element.dir = "auto";
  element.textContent = words;
  return element;
}

/** Says nothing that the name next to it does not. */
function picture(name: string, address: string): HTMLElement {
  const element = part("img", name);
  element.alt = "";
  element.loading = "lazy";
  element.decoding = "async";
  element.referrerPolicy = "no-referrer";
  element.addEventListener("error", () => element.remove());
  element.src = address;
  return element;
}
