import type { ImageType } from "#libs/domain/image.ts";

/** What somebody wants to upload. */
export interface UploadRequest {
  readonly workspaceId: string;
  /** Only its extension is kept, and that only where it fits the type. */
  readonly fileName: string;
  readonly contentType: ImageType;
  /** Bytes, exactly. */
  readonly contentLength: number;
  /** Milliseconds since the epoch; the grant lasts five minutes from here. */
  readonly now: number;
}

/** Leave to send one file by PUT to `uploadUrl` with these headers; it is then found at `publicUrl`. */
export interface UploadGrant {
  readonly uploadUrl: string;
  readonly headers: { readonly "Content-Type": ImageType };
  readonly publicUrl: string;
  /** `{workspaceId}/{random}.{extension}`; the random part has 128 bits, so that nobody finds a file by guessing. */
  readonly key: string;
}

/** What a stored file can be: an image that somebody uploaded, or the icon of a site, which only the server stores. */
export type StoredType = ImageType | "image/x-icon";

export interface StoredFile {
  readonly contentType: StoredType;
  readonly contentLength: number;
}

/** The beginning of a file; all of it where it is no longer than what was asked for. */
export interface FileStart extends StoredFile {
  readonly start: Buffer;
  /** Another one whenever the bytes are other ones. */
  readonly version: string;
}

/** A file that the server itself has fetched or made, and has checked. */
export interface OwnFile {
  readonly workspaceId: string;
  readonly contentType: StoredType;
  readonly bytes: Buffer;
}

/** Where images of creatives are kept. The service hands out grants; browsers send and fetch the files themselves. */
export interface Uploads {
  /** The largest file that a grant is given for, in bytes. */
  readonly maxBytes: number;
  /** Where browsers send files to and fetch them from, each once: what a page's policy has to let them reach. */
  readonly origins: readonly string[];
  /** Throws `HttpError` 422 at `contentLength` when the file is larger than this store takes, 503 when it has no room. */
  grant(request: UploadRequest): Promise<UploadGrant>;
  /**
   * Stores a file of the server's own; `publicUrl` is where it is found. Its key is made of its content: the same file of
   * a workspace is stored once. Throws `RangeError` for an empty file and one that is larger than this store takes, and
   * `HttpError` 503 when it has no room.
   */
  put(file: OwnFile): Promise<{ readonly key: string; readonly publicUrl: string }>;
  /** The file under the key; null where nothing was uploaded, and for whatever is no key. */
  find(key: string): Promise<StoredFile | null>;
  /** At most `maxBytes` from the file's beginning; null as for `find`. */
  readStart(key: string, maxBytes: number): Promise<FileStart | null>;
  /** The keys of all files, in no order and a page at a time; a file that comes or goes meanwhile may be in it or not. */
  keys(): AsyncIterable<string>;
  /** Removes the files under the keys, at most `MOST_REMOVED`; one that is not there is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Whether an address leads here: null when it leads elsewhere. `key` is null for an address of this store that is
   * not written just as `publicUrl` is: each file has one address.
   */
  locate(url: string): { readonly key: string | null } | null;
  /** The public address of the file under the key; null as for `find`. */
  addressOf(key: string): Promise<string | null>;
  /** Whether files can be stored now. */
  ping(): Promise<boolean>;
  /** Lets go of connections. */
  close(): void;
}

/** How long a grant lasts. */
export const GRANT_MS = 5 * 60_000;

/** The most files that are removed by one call. */
export const MOST_REMOVED = 1_000;
