import { completeUrl } from "#libs/domain/web-url.ts";
import { drawCards } from "#libs/embed/card.ts";
import type { Preview } from "../page/preview.ts";

/** What stands in a preview for a name that is not written yet. */
const NAME = "The name of your ad";

/** Draws the ads of a page as sites do: with the embed's own card, in a shadow root. */
export function drawPreviews(root: ParentNode): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-creative]")) draw(place, readPreview(place));
}

/** Chosen images that are not uploaded, as `blob:` addresses by the name of their input. */
export type LocalImages = ReadonlyMap<string, string>;

/** Keeps the preview in step with the form, including what the browser restores in it. Returns what to call when `images` have changed. */
export function keepPreview(form: HTMLFormElement, images: LocalImages = new Map()): () => void {
  const place = document.querySelector<HTMLElement>("[data-creative][data-live]");
  if (place === null) return () => {};
  const preview = readPreview(place);
  let shown = "";
  const update = () => {
    const next = followForm(preview, form, images);
    const key = JSON.stringify([next, [...images]]);
    if (key !== shown) draw(place, next, images);
    shown = key;
  };
  form.addEventListener("input", update);
  addEventListener("pageshow", update);
  update();
  return update;
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

function draw(place: HTMLElement, { ad, imageSize }: Preview, images: LocalImages = new Map()): void {
  const { host } = drawCards([ad], { imageSize });
  const local = new Map([...images].map(([name, address]) => [standIn(name), address]));
  for (const image of host.shadowRoot?.querySelectorAll("img") ?? [])
    image.src = local.get(image.src) ?? image.src;
  place.replaceChildren(host);
}

/** The card takes web addresses only, so a local image has one until it is drawn. */
function standIn(name: string): string {
  return new URL(`/#${encodeURIComponent(name)}`, location.origin).href;
}

/** The preview with the values of the form. An image elsewhere is left out, as it is shown once it is copied. */
function followForm(preview: Preview, form: HTMLFormElement, local: LocalImages): Preview {
  const data = new FormData(form);
  const valueIn = (name: string) => {
    const value = data.getAll(name).at(-1);
    return typeof value === "string" ? value.trim() : "";
  };
  const { ad, isSample, keys, imageKeys, imageOrigins } = preview;
  const images = imageKeys.map((key) => {
    const name = `meta.${key}`;
    return [key, local.has(name) ? standIn(name) : uploadedOnly(valueIn(name), imageOrigins)] as const;
  });
  const texts = keys.map((key) => [key, valueIn(`meta.${key}`)] as const);
  const written = [...texts, ...images].filter(([, value]) => value !== "");
  const name = valueIn("name");
  const websiteUrl = completeUrl(valueIn("websiteUrl"));
  const isSameSite = URL.parse(websiteUrl)?.origin === URL.parse(ad.websiteUrl)?.origin;
  return {
    ...preview,
    ad: {
      ...ad,
      name: name === "" ? (isSample ? ad.name : NAME) : name,
      // A sample leads nowhere: a click on it would leave the page that sells.
      websiteUrl: isSample ? ad.websiteUrl : websiteUrl,
      faviconUrl: isSameSite ? ad.faviconUrl : "",
      meta: { ...(isSample ? ad.meta : {}), ...Object.fromEntries(written) },
    },
  };
}

function uploadedOnly(address: string, origins: readonly string[]): string {
  return origins.includes(URL.parse(address)?.origin ?? "") ? address : "";
}
