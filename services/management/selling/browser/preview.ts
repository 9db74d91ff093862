import { completeUrl } from "#libs/domain/web-url.ts";
import { drawCards } from "#libs/embed/card.ts";
import type { Preview } from "../page/preview.ts";

/** What stands in a preview for a name that is not written yet. */
const NAME = "The name of your ad";

/** Draws the ads of a page as sites do: with the embed's own card, in a shadow root. */
export function drawPreviews(root: ParentNode): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-creative]")) draw(place, readPreview(place));
}

/** Keeps the preview in step with the form, including what the browser restores in it. */
export function keepPreview(form: HTMLFormElement): void {
  const place = document.querySelector<HTMLElement>("[data-creative][data-live]");
  if (place === null) return;
  const preview = readPreview(place);
  let shown = "";
  const update = () => {
    const next = followForm(preview, form);
    const key = JSON.stringify(next);
    if (key !== shown) draw(place, next);
    shown = key;
  };
  form.addEventListener("input", update);
  addEventListener("pageshow", update);
  update();
}

/** Hides a chosen image that fails to load. */
export function hideBrokenImages(root: ParentNode): void {
  for (const image of root.querySelectorAll<HTMLImageElement>("img[data-chosen]")) {
    const hide = () => {
      image.hidden = true;
    };
    image.addEventListener("error", hide);
    if (image.complete && image.naturalWidth === 0) hide();
  }
}

function readPreview({ dataset }: HTMLElement): Preview {
  const preview: Preview = JSON.parse(dataset.creative ?? "");
  return preview;
}

function draw(place: HTMLElement, { ad, imageSize }: Preview): void {
  place.replaceChildren(drawCards([ad], { imageSize }).host);
}

/** The preview with the values of the form. An image elsewhere is left out, as it is shown once it is copied. */
function followForm(preview: Preview, form: HTMLFormElement): Preview {
  const data = new FormData(form);
  const valueIn = (name: string) => {
    const value = data.getAll(name).at(-1);
    return typeof value === "string" ? value.trim() : "";
  };
  const { ad, keys, imageKeys, imageOrigins } = preview;
  const images = imageKeys
    .map((key) => [key, valueIn(`meta.${key}`)] as const)
    .filter(([, address]) => imageOrigins.includes(URL.parse(address)?.origin ?? ""));
  const texts = keys.map((key) => [key, valueIn(`meta.${key}`)] as const);
  const name = valueIn("name");
  const websiteUrl = completeUrl(valueIn("websiteUrl"));
  const isSameSite = URL.parse(websiteUrl)?.origin === URL.parse(ad.websiteUrl)?.origin;
  return {
    ...preview,
    ad: {
      ...ad,
      name: name === "" ? NAME : name,
      websiteUrl,
      faviconUrl: isSameSite ? ad.faviconUrl : "",
      meta: Object.fromEntries([...texts, ...images].filter(([, value]) => value !== "")),
    },
  };
}
