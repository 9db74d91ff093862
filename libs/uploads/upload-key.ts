import { createHash, randomBytes } from "node:crypto";
import { isId } from "#libs/domain/ids.ts";
import { imageExtension, imageTypeOf } from "#libs/domain/image.ts";
import { type OwnFile, type StoredType, type UploadRequest, UploadsError } from "./port.ts";

/** The only form of name that reaches a file system or a bucket. Lower case, because some file systems ignore case. */
const FILE_NAME = /^([0-9a-f]{32})\.([a-z]{3,4})$/;

const ICON = "image/x-icon" satisfies StoredType;
const ICON_EXTENSION = "ico";

export interface UploadKey {
  readonly workspaceId: string;
  readonly fileName: string;
  /** Identifies the content. */
  readonly random: string;
  readonly contentType: StoredType;
}

/** A new random key. Throws `UploadsError` `TOO_LARGE`, and `RangeError` if the workspace id is none: it becomes a path. */
export function newUploadKey(request: UploadRequest, maxBytes: number): string {
  const { workspaceId, fileName, contentType, contentLength } = request;
  refuseUnlessWorkspace(workspaceId);
  if (!Number.isSafeInteger(contentLength) || contentLength < 1 || contentLength > maxBytes) {
    throw new UploadsError("TOO_LARGE", `Must be from 1 to ${maxBytes} bytes.`);
  }
  return `${workspaceId}/${randomBytes(16).toString("hex")}.${imageExtension(contentType, fileName)}`;
}

/** The key of a file of the server's own, a hash of its content. Throws `RangeError` as `Uploads.put` does. */
export function ownFileKey({ workspaceId, contentType, bytes }: OwnFile, maxBytes: number): string {
  refuseUnlessWorkspace(workspaceId);
  if (bytes.length < 1 || bytes.length > maxBytes) {
    throw new RangeError(`A file has to have from 1 to ${maxBytes} bytes.`);
  }
  const extension = contentType === ICON ? ICON_EXTENSION : imageExtension(contentType, "");
  return `${workspaceId}/${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.${extension}`;
}

function refuseUnlessWorkspace(workspaceId: string): void {
  if (!isId("workspace", workspaceId)) throw new RangeError("Not the id of a workspace.");
}

/** The parts of a key; null for any other text. */
export function parseUploadKey(key: string): UploadKey | null {
  const [workspaceId = "", fileName = "", ...rest] = key.split("/", 3);
  const [, random, extension] = FILE_NAME.exec(fileName) ?? [];
  if (random === undefined || extension === undefined || rest.length > 0) return null;
  const contentType = extension === ICON_EXTENSION ? ICON : imageTypeOf(extension);
  if (contentType === null || !isId("workspace", workspaceId)) return null;
  return { workspaceId, fileName, random, contentType };
}
