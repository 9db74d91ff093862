import type { z } from "zod";
import type { uploadGrant } from "#libs/contract/uploads.ts";
import { type ImageRules, imageSizeProblem } from "#libs/domain/image-rules.ts";
import { IMAGE_KINDS, limitWords, sizeWords } from "../page/shared-words.ts";

/** The API's grant to upload one file. */
type Grant = Pick<z.output<typeof uploadGrant>, "uploadUrl" | "headers" | "publicUrl">;

/** Why a file was not uploaded, in a sentence for its sender. */
export class SendError extends Error {
  override readonly name = "SendError";
}

/** For a whole file on a slow line; the grant expires at about that time. */
const SEND_WITHIN_MS = 5 * 60_000;

/**
 * Asks for a grant, sends the file and returns its URL. `tell` gets the progress in percent. Rejects with `SendError`, and
 * with the signal's reason when it aborts.
 */
export async function sendFile(
  file: File,
  grants: string,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (percent: number) => void },
): Promise<string> {
  const grant = await askForGrant(file, grants, signal);
  await put(file, grant, signal, tell);
  return grant.publicUrl;
}

async function askForGrant(file: File, grants: string, signal: AbortSignal): Promise<Grant> {
  const asked = { fileName: plainName(file.type), contentType: file.type, contentLength: file.size };
  const response = await fetch(grants, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new SendError("No connection. Try again.", { cause: error });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && isGrant(answer)) return answer;
  if (response.status === 429) throw new SendError("Too many attempts. Try again in a minute.");
  throw new SendError(sentenceOf(answer) ?? "The image couldn't be uploaded. Try again.");
}

/** The first sentence of an error envelope, if it has one. */
export function sentenceOf(answer: unknown): string | null {
  const { data } = asRecord(answer);
  const { formErrors, fieldErrors } = asRecord(data);
  const sentences = [formErrors, ...Object.values(asRecord(fieldErrors))].flat();
  return sentences.find((one) => typeof one === "string") ?? null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isGrant(answer: unknown): answer is Grant {
  const { uploadUrl, publicUrl, headers } = asRecord(answer);
  return typeof uploadUrl === "string" && typeof publicUrl === "string" && typeof headers === "object";
}

/** With `XMLHttpRequest`, because `fetch` reports no progress. */
function put(file: File, grant: Grant, signal: AbortSignal, tell: (percent: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const giveUp = () => request.abort();
    request.open("PUT", grant.uploadUrl);
    for (const [name, value] of Object.entries(grant.headers)) request.setRequestHeader(name, value);
    request.timeout = SEND_WITHIN_MS;
    request.upload.onprogress = ({ loaded, total }) => tell(total === 0 ? 0 : (100 * loaded) / total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new SendError("The image was rejected. Try another one."));
    };
    request.onerror = () => reject(new SendError("Connection lost. Try again."));
    request.ontimeout = () => reject(new SendError("The upload took too long. Try again."));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener("abort", giveUp);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) reject(signal.reason);
    else request.send(file);
  });
}

export interface FileRules {
  /** MIME types. */
  readonly types: readonly string[];
  readonly maxBytes: number;
  /** What the field asks of the image; null for nothing. */
  readonly image: ImageRules | null;
}

/** The properties of a file that are known before it is sent. */
export type ChosenFile = Pick<File, "type" | "size">;

/** What is wrong with a chosen file, in a sentence; null when it can be sent. */
export function problemWith(
  { type, size }: ChosenFile,
  { types, maxBytes }: Omit<FileRules, "image">,
): string | null {
  if (!types.includes(type)) return `Unsupported file type. Use ${IMAGE_KINDS}.`;
  if (size === 0) return "The file is empty.";
  return size > maxBytes ? `The image has ${sizeWords(size)}; the limit is ${limitWords(maxBytes)}.` : null;
}

/** Why the field refuses an image of its size; null if it does not, and for one that this browser cannot read. */
export async function sizeProblem(file: File, rules: ImageRules | null): Promise<string | null> {
  if (rules === null) return null;
  const image = await createImageBitmap(file).catch(() => null);
  return image === null ? null : imageSizeProblem(rules, image);
}

/** A file name that reveals nothing; the store keeps only its extension. */
export function plainName(type: string): string {
  return `image.${type.replace("image/", "")}`;
}
