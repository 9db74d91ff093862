import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { FetchError, type Network } from "./network.ts";
import { connectSecurely, isPadded } from "./secure-connection.ts";

export interface FetchOptions {
  readonly network: Network;
  readonly userAgent: string;
  readonly accept: string;
  /** For each request, from the look-up of the name to the last byte, in milliseconds. */
  readonly requestMs: number;
  /** Ends everything, with its own reason. */
  readonly signal: AbortSignal;
}

/** An answer that is no redirect. */
export interface Answer {
  /** Where it came from after redirects. */
  readonly url: URL;
  readonly status: number;
  /** In lower case, without parameters; empty where the server gives none. */
  readonly contentType: string;
  /** Whether the bytes are compressed, although that was not asked for; they could unfold to any size. */
  readonly isCompressed: boolean;
}

const MOST_REDIRECTS = 5;
/** Interim answers (1xx) of one request. Node takes any number, and a site that sends nothing else would keep us busy to the last moment. */
const MOST_INTERIM = 16;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Whether the answer's body is what was asked for. */
export function isUsable({ status, isCompressed }: Answer): boolean {
  return status >= 200 && status < 300 && !isCompressed;
}

/** Whether the server failed, and may answer another time. */
export function isFailing({ status }: Answer): boolean {
  return status >= 500 || status === 408 || status === 429;
}

/** The bytes of a body; null once they are more than `maxBytes`. */
export async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches an address and follows its redirects, connecting only to checked addresses; `read` may leave bytes unread.
 * Throws `FetchError`, or the reason of `signal`.
 */
export async function fetchBounded<T>(
  address: URL,
  options: FetchOptions,
  read: (answer: Answer, body: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  let url = address;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.requestMs)]);
    const response = await orFetchError(url, options.signal, () => connect(url, options, signal));
    try {
      const next = redirectOf(response, url);
      if (next === null) {
        return await orFetchError(url, options.signal, () =>
          read(answerOf(response, url), bodyOf(response, url)),
        );
      }
      url = next;
    } finally {
      response.destroy();
    }
  }
  throw new FetchError(`${address.href} redirects more than ${MOST_REDIRECTS} times`, false);
}

async function connect(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const addresses = await checkedAddresses(url, options.network, signal);
  const lookup = pinnedTo(addresses);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    // A connection of its own: one that is kept open was checked for another request, and so were a proxy's.
    ...(url.protocol === "https:"
      ? { createConnection: () => connectSecurely({ ...hostOf(url), lookup }) }
      : { agent: false, lookup }),
    signal,
    headers: {
      accept: options.accept,
      "accept-encoding": "identity",
      "user-agent": options.userAgent,
    },
  });
  request.once("response", resolve);
  let interim = 0;
  request.on("information", () => {
    interim += 1;
    if (interim > MOST_INTERIM)
      request.destroy(new FetchError(`${url.href} sends interim answers only`, true));
  });
  request.on("error", reject);
  request.once("upgrade", (_response, socket) => {
    socket.destroy();
    reject(new FetchError(`${url.href} speaks another protocol`, false));
  });
  request.end();
  const response = await promise;
  // A reader gets the error; an end while nobody reads is no error.
  response.on("error", () => {});
  return response;
}

/** The addresses that the connection may go to. One that may not be reached spoils the rest: the name is not honest. */
async function checkedAddresses(
  url: URL,
  network: Network,
  signal: AbortSignal,
): Promise<[string, ...string[]]> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchError(`${url.protocol} is not fetched`, false);
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchError(`an address with a user name or password is not fetched`, false);
  }
  const { host, port } = hostOf(url);
  const [first, ...others] = isIP(host) === 0 ? await network.resolve(host, signal) : [host];
  signal.throwIfAborted();
  if (first === undefined) throw new FetchError(`${host} has no address`, true);
  const refused = [first, ...others].find((address) => !network.allows(address, port));
  if (refused === undefined) return [first, ...others];
  throw new FetchError(`${host} leads to ${refused}, port ${port}, which is not fetched from`, false);
}

function hostOf(url: URL): { readonly host: string; readonly port: number } {
  const port = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port };
}

/** The body. Throws a `FetchError` once chunk headers are too much of what arrives: a chunk takes as long as hundreds of bytes. */
async function* bodyOf(response: IncomingMessage, url: URL): AsyncGenerator<Buffer, void> {
  const { socket } = response;
  const chunks: AsyncIterable<Buffer> = response;
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (isPadded(socket.bytesRead, length + response.readableLength))
      throw new FetchError(`${url.href} sends more chunks than content`, true);
    yield chunk;
  }
}

/** Stands in for the system's look-up, so that the name is not resolved again between check and connection. */
function pinnedTo([first, ...others]: [string, ...string[]]): LookupFunction {
  const entry = (address: string) => ({ address, family: isIP(address) });
  return (_host, { all }, callback) => {
    if (all === true) callback(null, [first, ...others].map(entry));
    else callback(null, first, isIP(first));
  };
}

/** Where a redirect leads, null for any other answer. */
function redirectOf(response: IncomingMessage, url: URL): URL | null {
  const { location } = response.headers;
  if (!REDIRECTS.includes(response.statusCode ?? 0) || location === undefined) return null;
  const next = URL.parse(location, url.href);
  if (next === null) throw new FetchError(`${url.href} redirects to what is no address`, false);
  return next;
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, url: URL): Answer {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
  return {
    url,
    status: statusCode,
    contentType: type.split(";", 1)[0]?.trim().toLowerCase() ?? "",
    isCompressed: encoding.trim().toLowerCase() !== "identity",
  };
}

async function orFetchError<T>(url: URL, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError) throw error;
    throw new FetchError(`${url.href} could not be fetched`, true, { cause: error });
  }
}
