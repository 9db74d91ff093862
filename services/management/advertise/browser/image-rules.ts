import { roomWords, sizeWords } from "../checkout/file-size.ts";

export interface ImageRules {
  /** MIME types. */
  readonly types: readonly string[];
  readonly maxBytes: number;
}

/** What can be known of a file before it is sent. */
export interface ChosenFile {
  readonly type: string;
  readonly size: number;
}

/** What is wrong with a chosen file, in a sentence; null when it can be sent. */
export function problemWith({ type, size }: ChosenFile, { types, maxBytes }: ImageRules): string | null {
  if (!types.includes(type)) return "This is no image of a kind that ads show.";
  if (size === 0) return "The file is empty.";
  return size > maxBytes
    ? `The image has ${sizeWords(size)}; it may have ${roomWords(maxBytes)} at most.`
    : null;
}

/** A name for the file of which nothing tells whose it is; the store keeps its extension alone. */
export function plainName(type: string): string {
  return `image.${type.replace("image/", "")}`;
}
