import { randomBytes } from "node:crypto";
import { isId } from "#libs/domain/ids.ts";
import { type ImageType, imageExtension, imageTypeOf } from "#libs/domain/image.ts";
import { invalidInput } from "#libs/http/http-error.ts";
import type { UploadRequest } from "./port.ts";

/** The only form of name that ever reaches a file system or a bucket. Lower case, as some file systems know no other. */
const FILE_NAME = /^([0-9a-f]{32})\.([a-z]{3,4})$/;

export interface UploadKey {
  readonly workspaceId: string;
  readonly fileName: string;
  /** Never used twice, so it can stand for the content. */
  readonly random: string;
  readonly contentType: ImageType;
}

/**
 * A new key for the file, never used before. Throws `HttpError` 422 at `contentLength` above `maxBytes`, and `RangeError`
 * for a workspace id that is none, as that would become a path.
 */
export function newUploadKey(request: UploadRequest, maxBytes: number): string {
  const { workspaceId, fileName, contentType, contentLength } = request;
  if (!isId("workspace", workspaceId)) throw new RangeError("Not the id of a workspace.");
  if (!Number.isSafeInteger(contentLength) || contentLength < 1 || contentLength > maxBytes) {
    throw invalidInput({ fieldErrors: { contentLength: [`Must be from 1 to ${maxBytes} bytes.`] } });
  }
  return `${workspaceId}/${randomBytes(16).toString("hex")}.${imageExtension(contentType, fileName)}`;
}

/** The parts of a key; null for any other text. */
export function parseUploadKey(key: string): UploadKey | null {
  const [workspaceId = "", fileName = "", ...rest] = key.split("/", 3);
  const [, random, extension] = FILE_NAME.exec(fileName) ?? [];
  if (random === undefined || extension === undefined || rest.length > 0) return null;
  const contentType = imageTypeOf(extension);
  if (contentType === null || !isId("workspace", workspaceId)) return null;
  return { workspaceId, fileName, random, contentType };
}
