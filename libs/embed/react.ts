// What /embed-react.mjs exports; described in types/embed-react.d.mts. Without JSX, so that `react` is all it imports.
import { createElement, Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { drawCards } from "./card.ts";
import { claimAds, trackClick, trackImpression } from "./module.ts";
import type { Ad, AdRequest, CallOptions, TrackOptions } from "./types/embed.d.mts";
import type * as Module from "./types/embed-react.d.mts";
import { watchAd } from "./watch-ad.ts";

const NO_ADS: readonly Ad[] = [];

export const Placard: typeof Module.Placard = (props) => {
  const {
    children,
    fallback,
    label,
    imageSize,
    minHeight,
    view = "",
    className,
    origin,
    placement,
    ...request
  } = props;
  // As a text, because an object is another one at each rendering.
  const asked = JSON.stringify({ ...request, origin });
  const ads = useAds(asked, view);
  const at = { origin, placement };

  const around = { className, ...(minHeight === undefined ? {} : { style: { minHeight } }) };
  if (ads.length === 0) {
    return minHeight === undefined
      ? createElement(Fragment, null, fallback)
      : createElement("div", around, fallback);
  }
  const shown = children
    ? ads.map((ad) => createElement(WatchedAd, { key: `${view} ${ad.id}`, ad, at }, children(ad)))
    : createElement(Cards, { key: view, ads, label, imageSize, at });
  return createElement("div", around, shown);
};

/** The ads that a place holds while it is on the page. */
function useAds(asked: string, view: string): readonly Ad[] {
  const [ads, setAds] = useState(NO_ADS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view asks again.
  useEffect(() => {
    const request: AdRequest & CallOptions = JSON.parse(asked);
    const leaving = new AbortController();
    const claim = claimAds({ ...request, signal: leaving.signal });
    claim.then(
      (claimed) => {
        leaving.signal.addEventListener("abort", claimed.release);
        setAds(claimed.ads);
      },
      () => {
        if (!leaving.signal.aborted) setAds(NO_ADS);
      },
    );
    return () => leaving.abort();
  }, [asked, view]);
  return ads;
}

function watch(element: Element | undefined | null, ad: Ad, at: TrackOptions): () => void {
  if (!element) return () => {};
  return watchAd(element, {
    seen: () => void trackImpression(ad.id, at),
    clicked: () => void trackClick(ad.id, at),
  });
}

/** Around what the site draws of an ad. */
function WatchedAd({ ad, at, children }: { ad: Ad; at: TrackOptions; children?: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const watched = useRef({ ad, at }).current;
  useEffect(() => watch(element.current, watched.ad, watched.at), [watched]);
  return createElement("div", { ref: element }, children);
}

interface CardsProps {
  readonly ads: readonly Ad[];
  readonly label: string | undefined;
  readonly imageSize: string | undefined;
  readonly at: TrackOptions;
}

/** The embed's own cards. */
function Cards({ ads, label, imageSize, at }: CardsProps) {
  const element = useRef<HTMLDivElement>(null);
  const place = useRef(at).current;
  useEffect(() => {
    const { host, cards } = drawCards(ads, { label, imageSize });
    element.current?.append(host);
    const stops = ads.map((ad, index) => watch(cards[index], ad, place));
    return () => {
      for (const stop of stops) stop();
      host.remove();
    };
  }, [ads, label, imageSize, place]);
  return createElement("div", { ref: element });
}
