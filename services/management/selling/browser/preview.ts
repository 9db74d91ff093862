import { isWebUrl } from "#libs/domain/web-url.ts";
import { shownHost } from "../page/shared-words.ts";

/** Keeps the preview in step with the form, including what the browser restores in it. */
export function keepPreview(form: HTMLFormElement): void {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-creative] [data-preview]")];
  const update = () => {
    for (const part of parts) show(part, valueIn(form, part.dataset.preview ?? ""));
  };
  form.addEventListener("input", update);
  addEventListener("pageshow", update);
  update();
}

/** Hides images that fail to load. */
export function hideBrokenImages(root: ParentNode): void {
  for (const image of root.querySelectorAll<HTMLImageElement>("img[data-preview], img[data-chosen]")) {
    const hide = () => {
      image.hidden = true;
    };
    image.addEventListener("error", hide);
    if (image.complete && image.naturalWidth === 0) hide();
  }
}

function valueIn(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).getAll(name).at(-1);
  return typeof value === "string" ? value.trim() : "";
}

function show(part: HTMLElement, value: string): void {
  if (part instanceof HTMLImageElement) {
    showImage(part, value);
    return;
  }
  const text = part.dataset.preview === "websiteUrl" ? (shownHost(value) ?? "") : value;
  part.textContent = text === "" ? (part.dataset.empty ?? "") : text;
}

/** Loads an image once its address is a web address. */
function showImage(image: HTMLImageElement, address: string): void {
  const source = isWebUrl(address) ? address : "";
  if (source === (image.getAttribute("src") ?? "")) return;
  if (source === "") {
    image.removeAttribute("src");
    image.hidden = true;
    return;
  }
  image.hidden = false;
  image.src = source;
}
