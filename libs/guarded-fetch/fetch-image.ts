import { detectImageType, type ImageType } from "#libs/domain/image.ts";
import { IMAGE_HEADER_BYTES, imageProblem } from "#libs/domain/image-header.ts";
import { fetchBounded, isFailing, isUsable, readWhole } from "./fetch-bounded.ts";
import { FetchError, type Network, publicInternet } from "./network.ts";

/** `unusable`: the content is no accepted image. `unreachable`: another attempt may succeed. Reasons are for people. */
export type ImageFinding =
  | { readonly kind: "found"; readonly contentType: ImageType; readonly bytes: Buffer }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

export interface ImageFetcher {
  /** Fetches the image at an address. Throws only the reason of `signal`, once that aborts. */
  fetch(address: URL, signal: AbortSignal): Promise<ImageFinding>;
}

export interface ImageFetcherOptions {
  /** Where the operator of a site finds out who is asking; in the user agent. */
  readonly contact: URL;
  /** The largest image that is taken, in bytes. */
  readonly maxBytes: number;
  /** For tests, whose servers are on this machine. Default: the public internet, and nothing configures that. */
  readonly network?: Network;
  /** For all of one image, redirects included, in milliseconds. Default 15,000. */
  readonly totalMs?: number;
}

const ACCEPT = "image/avif,image/webp,image/png,image/jpeg,image/gif";
const NO_ANSWER = "The site did not answer in time, or broke off.";
/** Says nothing of what a name leads to within our own network. */
const NOT_PUBLIC = "Its address does not lead to a file on the public internet.";

/** Fetches images by the rules of `fetchBounded`; what one is, its bytes tell. */
export function createImageFetcher(options: ImageFetcherOptions): ImageFetcher {
  const { contact, maxBytes, network = publicInternet, totalMs = 15_000 } = options;
  const userAgent = `Mozilla/5.0 (compatible; PlacardImages/1.0; +${contact.origin})`;

  return {
    async fetch(address, signal) {
      const late = AbortSignal.timeout(totalMs);
      const request = {
        network,
        userAgent,
        accept: ACCEPT,
        requestMs: totalMs,
        signal: AbortSignal.any([signal, late]),
      };
      const url = new URL(address);
      url.hash = "";
      try {
        return await fetchBounded(url, request, async (answer, body): Promise<ImageFinding> => {
          if (isFailing(answer)) return unreachable(`The site answered ${answer.status}.`);
          if (answer.isCompressed)
            return unusable("The site sent it compressed, although that was not asked for.");
          if (!isUsable(answer)) return unusable(`The site answered ${answer.status}.`);
          const bytes = await readWhole(body, maxBytes);
          return bytes === null ? unusable(`It has more than ${maxBytes} bytes.`) : judge(bytes);
        });
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) return unreachable(NO_ANSWER);
        if (!(error instanceof FetchError)) throw error;
        return error.canRetry ? unreachable(NO_ANSWER) : unusable(NOT_PUBLIC);
      }
    },
  };
}

function judge(bytes: Buffer): ImageFinding {
  const contentType = detectImageType(bytes);
  if (contentType === null) return unusable("It is no PNG, JPEG, WebP, GIF or AVIF image.");
  const problem = imageProblem(bytes.subarray(0, IMAGE_HEADER_BYTES), contentType);
  return problem === null ? { kind: "found", contentType, bytes } : unusable(problem);
}

function unusable(reason: string): ImageFinding {
  return { kind: "unusable", reason };
}

function unreachable(reason: string): ImageFinding {
  return { kind: "unreachable", reason };
}
