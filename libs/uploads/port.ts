import type { ImageType } from "#libs/domain/image.ts";

/** A file that somebody wants to upload. */
export interface UploadRequest {
  readonly workspaceId: string;
  /** Only its extension is kept, if it fits the type. */
  readonly fileName: string;
  readonly contentType: ImageType;
  /** The exact number of bytes. */
  readonly contentLength: number;
  /** Milliseconds since the epoch; the grant lasts five minutes from here. */
  readonly now: number;
}

/** Permits one PUT of a file to `uploadUrl` with these headers; `publicUrl` then serves it. */
export interface UploadGrant {
  readonly uploadUrl: string;
  readonly headers: { readonly "Content-Type": ImageType };
  readonly publicUrl: string;
  /** `{workspaceId}/{random}.{extension}`; the random part has 128 bits, so that nobody finds a file by guessing. */
  readonly key: string;
}

/** An uploaded image, or the icon of a site, which only the server stores. */
export type StoredType = ImageType | "image/x-icon";

export interface StoredFile {
  readonly contentType: StoredType;
  readonly contentLength: number;
}

export interface FoundFile extends StoredFile {
  /** Changes with the content. */
  readonly version: string;
}

/** The first bytes of a file, or all of a shorter one. */
export interface FileStart extends FoundFile {
  readonly start: Buffer;
}

/** A file that the server itself has fetched or made, and has checked. */
export interface OwnFile {
  readonly workspaceId: string;
  readonly contentType: StoredType;
  readonly bytes: Buffer;
}

/**
 * - `TOO_LARGE`: the store takes no file of this size; the message has its limit
 * - `UNAVAILABLE`: the store is away or has no room; the same call may succeed later
 * - `MISMATCH`: a file has another length or type than its grant
 * - `EXISTS`: the key has another file already
 */
export type UploadsErrorCode = "TOO_LARGE" | "UNAVAILABLE" | "MISMATCH" | "EXISTS";

/** A failed call of a store of uploads, with a sentence that may be shown. */
export class UploadsError extends Error {
  override readonly name = "UploadsError";
  readonly code: UploadsErrorCode;
  /** When an `UNAVAILABLE` call is worth a retry, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(
    code: UploadsErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** Where images of creatives are kept. The service hands out grants; browsers send and fetch the files themselves. */
export interface Uploads {
  /** The largest file that a grant is given for, in bytes. */
  readonly maxBytes: number;
  /** The origins that browsers send files to and fetch them from, each once; a page's policy has to allow them. */
  readonly origins: readonly string[];
  /** Throws `UploadsError`: `TOO_LARGE` above `maxBytes`, `UNAVAILABLE` without room. */
  grant(request: UploadRequest): Promise<UploadGrant>;
  /**
   * Stores a file of the server's own. Its key is a hash of its content, so that a workspace has the same file once.
   * Throws `RangeError` for a file that is empty or above `maxBytes`, `UploadsError` `UNAVAILABLE` without room.
   */
  put(file: OwnFile): Promise<{ readonly key: string; readonly publicUrl: string }>;
  /** The file under the key; null if nothing was uploaded or the text is no key. */
  find(key: string): Promise<FoundFile | null>;
  /** At most `maxBytes` from the file's beginning; null as for `find`. */
  readStart(key: string, maxBytes: number): Promise<FileStart | null>;
  /** The keys of all files, in no order. Files that come or go meanwhile may be missing. */
  keys(): AsyncIterable<string>;
  /** Removes the files under at most 1,000 keys; a missing file is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Null for an address elsewhere. `key` is null for an address in this store that differs from every `publicUrl`. */
  locate(url: string): { readonly key: string | null } | null;
  /** The public address of the file under the key; null as for `find`. */
  addressOf(key: string): Promise<string | null>;
  /** Whether files can be stored now. */
  ping(): Promise<boolean>;
  close(): void;
}

/** How long a grant lasts. */
export const GRANT_MS = 5 * 60_000;
