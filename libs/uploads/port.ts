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

export interface StoredFile {
  readonly contentType: ImageType;
  readonly contentLength: number;
}

/** Where images of creatives are kept. The service hands out grants; browsers send and fetch the files themselves. */
export interface Uploads {
  /** Throws `HttpError` 422 at `contentLength` when the file is larger than this store takes. */
  grant(request: UploadRequest): Promise<UploadGrant>;
  /** The file under the key; null where nothing was uploaded, and for whatever is no key. */
  find(key: string): Promise<StoredFile | null>;
  /** Whether files can be stored now. */
  ping(): Promise<boolean>;
}

/** How long a grant lasts. */
export const GRANT_MS = 5 * 60_000;
