import type { FieldRules } from "#libs/domain/field.ts";
import { parseUploadKey, type Uploads } from "#libs/uploads/index.ts";

/** An image of a creative that lies, or should lie, in our store of uploads. */
export interface UsedImage {
  /** The creative field's. */
  readonly fieldKey: string;
  /** Null where no upload of the workspace can be. */
  readonly key: string | null;
}

/** What is said at `meta.<key>` where no file is. */
export const NOT_UPLOADED = "No image has been uploaded to this address.";

/** The images of a creative that are uploads. Those at other addresses wait for a copy (`image-copies`). */
export function uploadedImages(
  uploads: Uploads,
  workspaceId: string,
  rules: readonly FieldRules[],
  meta: Readonly<Record<string, unknown>>,
): UsedImage[] {
  return rules.flatMap(({ id, key: fieldKey, type }) => {
    const value = meta[id];
    const place = type === "Image" && typeof value === "string" ? uploads.locate(value) : null;
    if (place === null) return [];
    const isOurs = parseUploadKey(place.key ?? "")?.workspaceId === workspaceId;
    return [{ fieldKey, key: isOurs ? place.key : null }];
  });
}

/** The keys of images, each once. */
export function keysOf(images: readonly UsedImage[]): string[] {
  return [...new Set(images.flatMap(({ key }) => (key === null ? [] : [key])))];
}
