import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { detectImageType, IMAGE_SIGNATURE_BYTES } from "#libs/domain/image.ts";
import { makeFolderDurably, syncFolder } from "#libs/files/index.ts";
import { type StoredFile, UploadsError } from "./port.ts";

interface Destination {
  /** The folder of files that are arriving, on the same file system as `path`. */
  readonly incoming: string;
  readonly path: string;
}

/** What the receiver of a body decides while it arrives. */
export interface Reception {
  /** Ends the wait for the rest of the body, which then fails with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called with the bytes of each piece. */
  readonly count: (bytes: number) => void;
  /** Runs what is left to do once the whole body is there: the part that keeps the disk busy. */
  readonly store: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Streams a body to disk, checks and syncs it, and then puts it in its place in one step. A failure leaves nothing there.
 * The same bytes may be sent again. Throws `UploadsError`: `EXISTS` for other bytes, because a reviewed file must not
 * change; `MISMATCH` for another length or type, once the body has ended, so that the sender reads the answer.
 */
export async function receiveFile(
  body: Readable,
  expected: StoredFile,
  destination: Destination,
  reception: Reception,
): Promise<void> {
  await arrive(destination, (file) => writeChecked(file, body, expected, reception), reception.store);
}

/** Stores bytes that have been checked already, otherwise like `receiveFile`. */
export async function keepFile(bytes: Buffer, destination: Destination): Promise<void> {
  await arrive(
    destination,
    (file) => file.writeFile(bytes),
    (work) => work(),
  );
}

async function arrive(
  destination: Destination,
  write: (file: FileHandle) => Promise<void>,
  store: Reception["store"],
): Promise<void> {
  const arriving = join(destination.incoming, randomUUID());
  try {
    const file = await open(arriving, "wx", 0o600);
    try {
      await write(file);
      await store(async () => {
        await file.sync();
        await putInPlace(arriving, destination.path);
      });
    } finally {
      await file.close();
    }
  } finally {
    await rm(arriving, { force: true });
  }
}

async function writeChecked(
  file: FileHandle,
  body: Readable,
  { contentType, contentLength }: StoredFile,
  { signal, count }: Reception,
): Promise<void> {
  let length = 0;
  let start = Buffer.alloc(0);
  for await (const chunk of chunksOf(body, signal)) {
    count(chunk.length);
    length += chunk.length;
    if (start.length < IMAGE_SIGNATURE_BYTES) start = Buffer.concat([start, chunk]);
    // The signature shows the type. No more than the signature is written of any other file.
    const isPlausible = start.length < IMAGE_SIGNATURE_BYTES || detectImageType(start) === contentType;
    if (isPlausible && length <= contentLength) await file.writeFile(chunk);
  }
  if (length !== contentLength) {
    throw new UploadsError("MISMATCH", `The file has to have ${contentLength} bytes, as granted.`);
  }
  if (detectImageType(start) !== contentType) {
    throw new UploadsError("MISMATCH", `The file is not of the type ${contentType}.`);
  }
}

/** The chunks of a stream. It stays open after a failure, because destroying a request would cut off its answer. */
async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  const chunks = body.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), late]);
      if (next.done === true) return;
      yield Buffer.from(next.value);
    }
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** A hard link is the one atomic step that never replaces a file. */
async function putInPlace(arriving: string, path: string): Promise<void> {
  const folder = dirname(path);
  await makeFolderDurably(folder);
  try {
    await link(arriving, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const [there, sent] = await Promise.all([readFile(path), readFile(arriving)]);
    if (!there.equals(sent)) {
      throw new UploadsError("EXISTS", "Another file was uploaded with this grant already.");
    }
  }
  await syncFolder(folder);
}
