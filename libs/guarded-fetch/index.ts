// Fetching what a stranger has named

export {
  type Answer,
  type FetchOptions,
  fetchBounded,
  isFailing,
  isUsable,
  readWhole,
} from "./fetch-bounded.ts";

// Where connections may go

export { FetchError, type Network, publicInternet } from "./network.ts";

// Fetching images

export {
  createImageFetcher,
  type ImageFetcher,
  type ImageFetcherOptions,
  type ImageFinding,
} from "./fetch-image.ts";
