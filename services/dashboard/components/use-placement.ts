import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Tier } from "#libs/contract/tiers.ts";
import { recommendedSize, SAMPLE_IMAGE, sampleAd } from "#libs/embed/preview.ts";
import { fieldsQuery, tiersQuery } from "../api/queries.ts";
import { measureCards } from "./ad-card.tsx";
import { embedTag } from "./embed-code.ts";

/** In pixels: a usual side bar, and the width of the most sold ads. */
export const USUAL_COLUMN = 300;
/** The widths of a column that make sense, in pixels. */
const WIDTHS = { least: 120, most: 2000 };

/** The width of a column that was typed, if it makes sense, else the usual one. */
export function readColumn(typed: string): number {
  const width = /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : USUAL_COLUMN;
  return width < WIDTHS.least || width > WIDTHS.most ? USUAL_COLUMN : width;
}

/** A sample of the workspace's ads, and the space that `count` of them take in a column. */
export function useSample(workspaceId: string, count = 1, width = USUAL_COLUMN) {
  const { data: fields } = useQuery(fieldsQuery(workspaceId));
  return useMemo(() => {
    const known = fields ?? [];
    const ads = Array.from({ length: count }, () => sampleAd(known, `${location.origin}${SAMPLE_IMAGE}`));
    const imageSize = recommendedSize(known);
    return { ads, imageSize, minHeight: measureCards({ ads, imageSize }, width) };
  }, [fields, count, width]);
}

/** The whole tag for the ads of a tier in a column; of all tiers if there is none yet. */
export function useEmbedTag(workspaceId: string, tier: Pick<Tier, "id"> | undefined, width?: number): string {
  const { imageSize, minHeight } = useSample(workspaceId, 1, width);
  const tierIds = tier === undefined ? [] : [tier.id];
  return embedTag(location.origin, workspaceId, { tierIds, imageSize, minHeight });
}

/** The tier on sale that was created last: ids are in the order of creation. */
export function useNewestTier(workspaceId: string): Tier | undefined {
  const { data: tiers = [] } = useQuery(tiersQuery(workspaceId));
  const onSale = tiers.filter(({ isActive }) => isActive);
  return onSale.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
}
