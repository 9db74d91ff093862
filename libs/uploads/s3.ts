import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { within } from "#libs/async/index.ts";
import { addressesBelow } from "./addresses.ts";
import {
  type FileStart,
  type FoundFile,
  GRANT_MS,
  type OwnFile,
  type UploadGrant,
  type UploadRequest,
  type Uploads,
  UploadsError,
} from "./port.ts";
import { newUploadKey, ownFileKey, parseUploadKey } from "./upload-key.ts";

export interface S3UploadsOptions {
  readonly bucket: string;
  readonly region: string;
  /** The address of a store that is not Amazon's, such as MinIO or R2. */
  readonly endpoint?: string | undefined;
  /** Names the bucket in the path instead of the host's name. Default false. */
  readonly forcePathStyle?: boolean;
  /** Default: what Amazon's SDK finds, such as the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Serves the files to everybody, for example a CDN. Default: the bucket. */
  readonly publicUrl?: URL | undefined;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** The time limit of each of three attempts, in milliseconds. Default 5 s. */
  readonly timeoutMs?: number;
}

const CONNECT_WITHIN_MS = 2_000;
const ATTEMPTS = 3;
const RETRY_AFTER_MS = 5_000;
const REMOVALS_AT_ONCE = 10;
/** A file never changes under its key. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";
/** The headers that a browser's PUT must send. By default the SDK leaves the type out. */
const BOUND_HEADERS = new Set(["host", "content-type", "content-length"]);

/** Uploads in a bucket. Each failure of the store is `UNAVAILABLE`. `infra/docs/s3.md` says what the bucket needs. */
export function createS3Uploads(options: S3UploadsOptions): Uploads {
  const { bucket: Bucket, maxBytes, timeoutMs = 5_000 } = options;
  const client = openClient(options, timeoutMs);
  const bucketUrl = bucketAddress(options);
  const publicUrl = options.publicUrl ?? bucketUrl;
  const addresses = addressesBelow(publicUrl);

  async function ask<T>(what: string, answer: Promise<T>): Promise<T> {
    try {
      return await within(ATTEMPTS * timeoutMs, what, answer);
    } catch (error) {
      throw new UploadsError("UNAVAILABLE", `${what} failed`, { cause: error, retryAfterMs: RETRY_AFTER_MS });
    }
  }

  async function grant(request: UploadRequest): Promise<UploadGrant> {
    const Key = newUploadKey(request, maxBytes);
    const { contentType, contentLength, now } = request;
    const put = { Bucket, Key, ContentType: contentType, ContentLength: contentLength };
    const signing = getSignedUrl(client, new PutObjectCommand(put), {
      expiresIn: GRANT_MS / 1000,
      signingDate: new Date(now),
      signableHeaders: BOUND_HEADERS,
    });
    return {
      // Credentials may have to be fetched first.
      uploadUrl: await ask("signing an upload", signing),
      headers: { "Content-Type": contentType },
      publicUrl: addresses.of(Key),
      key: Key,
    };
  }

  async function put(file: OwnFile) {
    const Key = ownFileKey(file, maxBytes);
    const { bytes: Body, contentType: ContentType } = file;
    const object = { Bucket, Key, Body, ContentType, CacheControl: CACHE_CONTROL };
    await ask("storing a file", client.send(new PutObjectCommand(object)));
    return { key: Key, publicUrl: addresses.of(Key) };
  }

  async function find(key: string): Promise<FoundFile | null> {
    const parsed = parseUploadKey(key);
    if (parsed === null) return null;
    const head = client.send(new HeadObjectCommand({ Bucket, Key: key }));
    const found = await ask("looking for a file", head.catch(nullWhereMissing));
    // Grants bind the type: one that differs was never stored by a grant.
    if (found === null || found.ContentType !== parsed.contentType) return null;
    return {
      contentType: parsed.contentType,
      contentLength: found.ContentLength ?? 0,
      version: found.ETag ?? "",
    };
  }

  async function readStart(key: string, maxRead: number): Promise<FileStart | null> {
    const parsed = parseUploadKey(key);
    if (parsed === null) return null;
    const { contentType } = parsed;
    return await ask("reading a file", read().catch(nullWhereMissing));

    async function read(): Promise<FileStart | null> {
      const range = { Bucket, Key: key, Range: `bytes=0-${maxRead - 1}` };
      const found = await client.send(new GetObjectCommand(range));
      const start = Buffer.from((await found.Body?.transformToByteArray()) ?? []).subarray(0, maxRead);
      if (found.ContentType !== contentType) return null;
      const whole = /\/(\d+)$/.exec(found.ContentRange ?? "")?.[1];
      const contentLength = Number(whole ?? found.ContentLength ?? start.length);
      return { contentType, contentLength, start, version: found.ETag ?? "" };
    }
  }

  async function* keys(): AsyncGenerator<string> {
    let next: string | undefined;
    do {
      const page = new ListObjectsV2Command({
        Bucket,
        ...(next !== undefined && { ContinuationToken: next }),
      });
      const listed = await ask("listing files", client.send(page));
      for (const { Key = "" } of listed.Contents ?? []) if (parseUploadKey(Key) !== null) yield Key;
      next = listed.NextContinuationToken;
    } while (next !== undefined);
  }

  async function remove(keys: readonly string[]): Promise<void> {
    const waiting = keys.filter((key) => parseUploadKey(key) !== null);
    // One by one: not every store that speaks S3 supports the request for many.
    const workers = Array.from({ length: REMOVALS_AT_ONCE }, async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        await ask("removing a file", client.send(new DeleteObjectCommand({ Bucket, Key: key })));
      }
    });
    await Promise.all(workers);
  }

  return {
    maxBytes,
    origins: [...new Set([bucketUrl.origin, publicUrl.origin])],
    grant,
    put,
    find,
    readStart,
    keys,
    remove,
    locate: addresses.locate,
    addressOf: async (key) => ((await find(key)) === null ? null : addresses.of(key)),
    ping: () =>
      client.send(new HeadBucketCommand({ Bucket })).then(
        () => true,
        () => false,
      ),
    close: () => client.destroy(),
  };
}

function openClient(options: S3UploadsOptions, timeoutMs: number): S3Client {
  const { region, endpoint, forcePathStyle = false, credentials } = options;
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_WITHIN_MS, timeoutMs),
      requestTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
    // Otherwise a grant would be bound to the checksum of an empty body, and other stores refuse what they don't know.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

/** The bucket's own address: its name is in the host's, or in the path if that is configured or TLS needs it. */
function bucketAddress({ bucket, region, endpoint, forcePathStyle = false }: S3UploadsOptions): URL {
  const address = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (forcePathStyle || bucket.includes("."))
    address.pathname = `${address.pathname}/${bucket}`.replace("//", "/");
  else address.host = `${bucket}.${address.host}`;
  return address;
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
  throw error;
}
