import { plainName } from "./image-rules.ts";

/** Leave to send one file, as the API gives it. */
interface Grant {
  readonly uploadUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly publicUrl: string;
}

/** Why a file has not arrived, in a sentence for the one who sent it. */
export class SendError extends Error {
  override readonly name = "SendError";
}

/** For the whole of a file on a slow line, in milliseconds; the grant ends about then. */
const SEND_WITHIN_MS = 5 * 60_000;

/**
 * Asks for leave, sends the file and returns its address. `tell` gets the sent part in percent. Rejects with `SendError`,
 * and with the signal's reason when it is given up.
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
    throw new SendError("There is no connection. Try again.", { cause: error });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && isGrant(answer)) return answer;
  if (response.status === 429) throw new SendError("That was often. Wait a minute, then try again.");
  throw new SendError(sentenceOf(answer) ?? "The image could not be sent. Try again.");
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

/** Not by `fetch`, which tells nothing of the progress. */
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
      else reject(new SendError("The image was refused. Try another one."));
    };
    request.onerror = () => reject(new SendError("The connection broke off. Try again."));
    request.ontimeout = () => reject(new SendError("That took too long. Try again."));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener("abort", giveUp);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) reject(signal.reason);
    else request.send(file);
  });
}
