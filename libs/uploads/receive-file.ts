import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { detectImageType, IMAGE_SIGNATURE_BYTES } from "#libs/domain/image.ts";
import { makeFolderDurably, syncFolder } from "#libs/files/index.ts";
import { conflict, httpError, invalidInput } from "#libs/http/http-error.ts";
import type { StoredFile } from "./port.ts";

interface Destination {
  /** Where files are while they arrive; on the same file system as `path`. */
  readonly incoming: string;
  readonly path: string;
}

/**
 * Streams a body to disk and, once it is whole, checked and synced, puts it in its place in one step; before that, and
 * after any failure, nothing is there. Sending the same bytes again is fine, others are refused with 409: what has been
 * reviewed and cached must not change. A body of another length or type is 422, and 408 when `signal` aborts; the body
 * is read to its end first, so that the sender is there to hear the answer.
 */
export async function receiveFile(
  body: Readable,
  expected: StoredFile,
  destination: Destination,
  signal: AbortSignal,
): Promise<void> {
  await arrive(destination, (file) => writeChecked(file, body, expected, signal));
}

/** Puts bytes that have been checked in their place, synced and in one step; as `receiveFile` in all else. */
export async function keepFile(bytes: Buffer, destination: Destination): Promise<void> {
  await arrive(destination, (file) => file.writeFile(bytes));
}

async function arrive(destination: Destination, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const arriving = join(destination.incoming, randomUUID());
  try {
    const file = await open(arriving, "wx", 0o600);
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await putInPlace(arriving, destination.path);
  } finally {
    await rm(arriving, { force: true });
  }
}

async function writeChecked(
  file: FileHandle,
  body: Readable,
  { contentType, contentLength }: StoredFile,
  signal: AbortSignal,
): Promise<void> {
  let length = 0;
  let start = Buffer.alloc(0);
  for await (const chunk of chunksOf(body, signal)) {
    length += chunk.length;
    if (start.length < IMAGE_SIGNATURE_BYTES) start = Buffer.concat([start, chunk]);
    // Every type shows itself within the signature; of anything else no more than that is written.
    const isPlausible = start.length < IMAGE_SIGNATURE_BYTES || detectImageType(start) === contentType;
    if (isPlausible && length <= contentLength) await file.writeFile(chunk);
  }
  if (length !== contentLength) {
    throw invalidInput({ formErrors: [`The file has to have ${contentLength} bytes, as granted.`] });
  }
  if (detectImageType(start) !== contentType) {
    throw invalidInput({ formErrors: [`The file is not of the type ${contentType}.`] });
  }
}

/** The chunks of a stream, which is left open whatever happens: destroying a request would cut off its answer. */
async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});
  const giveUp = () => reject(httpError("REQUEST_TIMEOUT", "The upload took too long."));
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
    if (!there.equals(sent))
      throw conflict({ formErrors: ["Another file was uploaded with this grant already."] });
  }
  await syncFolder(folder);
}
