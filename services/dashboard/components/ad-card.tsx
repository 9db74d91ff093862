import { useEffect, useRef } from "react";
import { drawCards } from "#libs/embed/card.ts";
import type { Ad } from "#libs/embed/types/embed.d.mts";

interface AdCardProps {
  readonly ads: readonly Ad[];
  /** As the slot's `data-image-size`. */
  readonly imageSize: string | undefined;
}

/** Ads as sites show them: the embed's own cards, as isolated as there. Nothing is counted. */
export function AdCard({ ads, imageSize }: AdCardProps) {
  const element = useRef<HTMLDivElement>(null);
  // As a text, because the list is another one at each rendering.
  const shown = JSON.stringify({ ads, imageSize });
  useEffect(() => {
    const drawn: AdCardProps = JSON.parse(shown);
    const { host } = drawCards(drawn.ads, { imageSize: drawn.imageSize });
    element.current?.replaceChildren(host);
  }, [shown]);
  return <div ref={element} />;
}

/** The height that cards take in a column of the given width, both in pixels. */
export function measureCards({ ads, imageSize }: AdCardProps, width: number): number {
  const column = document.createElement("div");
  Object.assign(column.style, { position: "absolute", visibility: "hidden", width: `${width}px` });
  column.append(drawCards(ads, { imageSize }).host);
  document.body.append(column);
  const { height } = column.getBoundingClientRect();
  column.remove();
  return Math.ceil(height);
}
