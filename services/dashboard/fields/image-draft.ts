import type { ImageRules } from "#libs/domain/image-rules.ts";

/** What an image field asks of its images, as typed. */
export type ImageDraft = { readonly [Key in keyof ImageRules]: string };

export const EMPTY_IMAGE: ImageDraft = { width: "", height: "", ratio: "", minWidth: "", minHeight: "" };

/** The words for sizes that cannot be read, by path of the field. */
export const IMAGE_WORDS = {
  "image.width": "Enter a whole number, or leave it empty.",
  "image.height": "Enter a whole number, or leave it empty.",
  "image.minWidth": "Enter a whole number, or leave it empty.",
  "image.minHeight": "Enter a whole number, or leave it empty.",
};

export function draftOfImage(image: ImageRules | null): ImageDraft {
  if (image === null) return EMPTY_IMAGE;
  const { width, height, ratio, minWidth, minHeight } = image;
  return {
    width: String(width ?? ""),
    height: String(height ?? ""),
    ratio: ratio ?? "",
    minWidth: String(minWidth ?? ""),
    minHeight: String(minHeight ?? ""),
  };
}

/** The rules as the API takes them, null for none; NaN for a size that is no whole number. */
export function readImage({ width, height, ratio, minWidth, minHeight }: ImageDraft): ImageRules | null {
  if ([width, height, ratio, minWidth, minHeight].every((text) => text.trim() === "")) return null;
  return {
    width: readPixels(width),
    height: readPixels(height),
    ratio: ratio.trim() === "" ? null : ratio.replaceAll(/\s/g, ""),
    minWidth: readPixels(minWidth),
    minHeight: readPixels(minHeight),
  };
}

function readPixels(text: string): number | null {
  if (text.trim() === "") return null;
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;
}
