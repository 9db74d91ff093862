import { createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { access, constants, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { makeFolderDurably } from "#libs/files/index.ts";
import { addressesBelow } from "./addresses.ts";
import { filesBelow, INCOMING, nullWhereMissing, pathBelow } from "./files-below.ts";
import {
  type FileStart,
  GRANT_MS,
  type OwnFile,
  type StoredFile,
  type UploadGrant,
  type UploadRequest,
  type Uploads,
  UploadsError,
} from "./port.ts";
import { keepFile, type Reception, receiveFile } from "./receive-file.ts";
import { newUploadKey, ownFileKey, parseUploadKey } from "./upload-key.ts";

/** The parts of a grant's address that its signature protects. */
export interface PutClaims {
  readonly key: string;
  readonly contentType: string;
  /** Bytes, in decimal. */
  readonly contentLength: string;
  /** Seconds since the epoch, in decimal. */
  readonly expires: string;
}

export interface DiskUploadsOptions {
  /** Made where it is missing. One process at a time writes there. */
  readonly folder: string;
  /** Signs the grants; at least 32 characters. Another secret invalidates only the open grants. */
  readonly secret: string;
  /** Where browsers reach the routes of `registerDiskUploads`. */
  readonly publicUrl: URL;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** The share of the folder's file system that is free, from 0 to 1. For tests. Default: what the system says. */
  readonly freeShare?: (folder: string) => Promise<number>;
}

/** Uploads in a folder, for the routes that receive and serve its files. `UNAVAILABLE` while its disk is nearly full. */
export interface DiskUploads extends Uploads {
  isGranted(claims: PutClaims, signature: string, now: number): boolean;
  /** Stores a file whose grant has been checked. Throws as `receiveFile` does. */
  receive(key: string, expected: StoredFile, body: Readable, reception: Reception): Promise<void>;
  read(key: string): ReadStream;
}

const SHORTEST_SECRET = 32;
/** Below it nothing is granted or stored: databases on the same disk need the rest. */
const LEAST_FREE_SHARE = 0.05;
const LOW_DISK_RETRY_MS = 60_000;
/** Longer than any upload takes. */
const LEFT_BEHIND_MS = 60 * 60_000;

/**
 * Opens the folder and removes files that a crash left half-received. Throws if the folder is not writable, and
 * `RangeError` for a secret that is too short.
 */
export async function openDiskUploads(options: DiskUploadsOptions): Promise<DiskUploads> {
  const { folder, secret, publicUrl, maxBytes, freeShare = freeShareOf } = options;
  if (secret.length < SHORTEST_SECRET) throw new RangeError("The secret for uploads is too short.");
  const incoming = join(folder, INCOMING);
  await makeFolderDurably(incoming);
  await removeLeftBehind(incoming);
  const addresses = addressesBelow(new URL("/uploads", publicUrl));

  async function grant(request: UploadRequest): Promise<UploadGrant> {
    const key = newUploadKey(request, maxBytes);
    await refuseOnLowDisk();
    const { contentType, contentLength, now } = request;
    const claims = {
      contentType,
      contentLength: String(contentLength),
      expires: String(Math.floor((now + GRANT_MS) / 1000)),
    };
    const uploadAddress = new URL(addresses.of(key));
    const signature = signPut(secret, { key, ...claims });
    uploadAddress.search = new URLSearchParams({ ...claims, signature }).toString();
    return {
      uploadUrl: uploadAddress.href,
      headers: { "Content-Type": contentType },
      publicUrl: addresses.of(key),
      key,
    };
  }

  async function put(file: OwnFile) {
    const key = ownFileKey(file, maxBytes);
    await refuseOnLowDisk();
    await keepFile(file.bytes, { incoming, path: pathOf(key) });
    return { key, publicUrl: addresses.of(key) };
  }

  async function refuseOnLowDisk(): Promise<void> {
    if ((await freeShare(folder)) < LEAST_FREE_SHARE) {
      throw new UploadsError("UNAVAILABLE", "The disk of the uploads is nearly full.", {
        retryAfterMs: LOW_DISK_RETRY_MS,
      });
    }
  }

  const { find, keys } = filesBelow(folder);
  const pathOf = (key: string) => pathBelow(folder, key);

  async function readStart(key: string, maxBytes: number): Promise<FileStart | null> {
    const parsed = parseUploadKey(key);
    if (parsed === null) return null;
    const file = await open(pathOf(key)).catch(nullWhereMissing);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const start = Buffer.alloc(Math.min(size, maxBytes));
      await file.read(start, 0, start.length, 0);
      return { contentType: parsed.contentType, contentLength: size, start, version: parsed.random };
    } finally {
      await file.close();
    }
  }

  return {
    maxBytes,
    origins: [publicUrl.origin],
    grant,
    put,
    find,
    readStart,
    keys,
    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    locate: addresses.locate,
    addressOf: async (key) => ((await find(key)) === null ? null : addresses.of(key)),
    close() {},
    isGranted: (claims, signature, now) => isPutGranted(secret, claims, signature, now),
    receive: (key, expected, body, reception) =>
      receiveFile(body, expected, { incoming, path: pathOf(key) }, reception),
    read: (key) => createReadStream(pathOf(key)),
    ping: () =>
      Promise.all([access(incoming, constants.W_OK), refuseOnLowDisk()]).then(
        () => true,
        () => false,
      ),
  };
}

/** Without the reserve of the system's administrator. */
async function freeShareOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder);
  // Some network file systems do not know their size.
  return blocks === 0 ? 1 : bavail / blocks;
}

async function removeLeftBehind(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

/** HMAC-SHA256 of the claims, in base64url. The first word separates it from other uses of the secret. */
function signPut(secret: string, claims: PutClaims): string {
  const { key, contentType, contentLength, expires } = claims;
  const message = JSON.stringify(["upload", "PUT", key, contentType, contentLength, expires]);
  return createHmac("sha256", secret).update(message).digest("base64url");
}

/** Whether the signature is ours and the grant has not expired at `now`, in milliseconds since the epoch. */
function isPutGranted(secret: string, claims: PutClaims, signature: string, now: number): boolean {
  const expected = Buffer.from(signPut(secret, claims));
  const given = Buffer.from(signature);
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    now < Number(claims.expires) * 1000
  );
}
