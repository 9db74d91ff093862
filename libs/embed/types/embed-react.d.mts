import type { ReactElement, ReactNode } from "react";
import type { Ad, AdRequest, CallOptions } from "./embed.mjs";

export interface PlacardProps extends AdRequest, CallOptions {
  /** Draws one ad. Give its link `href={ad.websiteUrl}` and `rel="sponsored noopener"`. Default: the embed's own card. */
  readonly children?: ((ad: Ad) => ReactNode) | undefined;
  /** Shown while there is no ad, and where there is none. */
  readonly fallback?: ReactNode;
  /** Said on each card. Default `Sponsored`. */
  readonly label?: string | undefined;
  /** The size that images have, in pixels: `300x250`. The card reserves their space. */
  readonly imageSize?: string | undefined;
  /** The height of the place at least, in pixels, with ads or without: so the page does not move when they arrive. */
  readonly minHeight?: number | undefined;
  /** Another value begins another page view, with ads and impressions of its own: give it the route's path. */
  readonly view?: string | undefined;
  /** Your name for the place on the page, by which reports can be split: at most 60 characters. */
  readonly placement?: string | undefined;
  readonly className?: string | undefined;
}

/**
 * Shows ads, reports an impression of each once it was seen, and clicks. Several on a page never show the same ad.
 * Renders the fallback on a server, and where ads are blocked or the network is away.
 */
export function Placard(props: PlacardProps): ReactElement;
