import { MOST_ADS } from "#libs/domain/serving-limits.ts";
import { readDecimal } from "./forms/read-number.ts";

/** Which ads a placement shows, as typed. Blank means all of them. */
export interface PlacementDraft {
  readonly count: string;
  readonly least: string;
  readonly below: string;
}

export const EMPTY_PLACEMENT: PlacementDraft = { count: "1", least: "", below: "" };

/** The script tag that every page with a placement has once. */
export function embedScript(origin: string): string {
  return `<script src="${origin}/embed.js" async></script>`;
}

/** The tag that marks where ads appear. Values that make no sense are left out. */
export function placementTag(workspaceId: string, { count, least, below } = EMPTY_PLACEMENT): string {
  const attributes = [
    ["data-placard", workspaceId],
    ["data-count", isCount(count) ? Number(count) : null],
    ["data-weight-gte", readDecimal(least)],
    ["data-weight-lt", readDecimal(below)],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name}="${value}"`]));
  return `<div ${attributes.join(" ")}></div>`;
}

/** Everything that a site needs to show ads of every tier. */
export function embedTag(origin: string, workspaceId: string): string {
  return `${embedScript(origin)}\n${placementTag(workspaceId)}`;
}

/** One ad is the default, which needs no attribute. */
function isCount(text: string): boolean {
  return /^\s*\d{1,2}\s*$/.test(text) && Number(text) > 1 && Number(text) <= MOST_ADS;
}
