import { MOST_ADS } from "#libs/domain/serving-limits.ts";
import { readDecimal } from "./forms/read-number.ts";

/** Which ads a placement shows, as typed. Blank means all of them. */
export interface PlacementDraft {
  readonly count: string;
  readonly least: string;
  readonly below: string;
}

export const EMPTY_PLACEMENT: PlacementDraft = { count: "1", least: "", below: "" };

/** A placement on a site; undefined and an empty list leave the choice to the embed. */
export interface Placement {
  readonly tierIds?: readonly string[];
  readonly count?: number | undefined;
  readonly weightGte?: number | undefined;
  readonly weightLt?: number | undefined;
  /** The size of images, `300x250`. */
  readonly imageSize?: string | undefined;
  /** Reserved for the ads, in pixels. */
  readonly minHeight?: number | undefined;
}

/** The placement that was typed. Values that make no sense are left out. */
export function readPlacement({ count, least, below }: PlacementDraft): Placement {
  return {
    count: isCount(count) ? Number(count) : undefined,
    weightGte: readDecimal(least) ?? undefined,
    weightLt: readDecimal(below) ?? undefined,
  };
}

/** The script tag that every page with a placement has once. */
export function embedScript(origin: string): string {
  return `<script src="${origin}/embed.js" async></script>`;
}

/** The tag that marks where ads appear. The style reserves their space before the script is there. */
export function placementTag(workspaceId: string, placement: Placement): string {
  const { tierIds = [], count, weightGte, weightLt, imageSize, minHeight } = placement;
  const attributes = [
    ["data-placard", workspaceId],
    ["data-tier-id", tierIds.length === 0 ? undefined : tierIds.join(",")],
    ["data-count", count],
    ["data-weight-gte", weightGte],
    ["data-weight-lt", weightLt],
    ["data-image-size", imageSize],
    ["data-min-height", minHeight],
    ["style", minHeight === undefined ? undefined : `min-height: ${minHeight}px`],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  return `<div ${attributes.join(" ")}></div>`;
}

/** The placement as a component of the React module. */
export function placementInReact(origin: string, workspaceId: string, placement: Placement): string {
  const properties = propertiesOf(workspaceId, placement).map(([name, value]) =>
    typeof value === "string" ? `${name}="${value}"` : `${name}={${JSON.stringify(value)}}`,
  );
  return `import { Placard } from "./embed-react.mjs"; // a copy of ${origin}/embed-react.mjs

<Placard origin="${origin}" ${properties.join(" ")} />`;
}

/** The request for the placement's ads with the module. */
export function placementAsModule(origin: string, workspaceId: string, placement: Placement): string {
  const { imageSize: _size, minHeight: _height, ...choice } = placement;
  const properties = propertiesOf(workspaceId, choice).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `import { claimAds } from "${origin}/embed.mjs";

const { ads } = await claimAds({ ${properties.join(", ")} });`;
}

/** Everything that a site needs to show ads. */
export function embedTag(origin: string, workspaceId: string, placement: Placement): string {
  return `${embedScript(origin)}\n${placementTag(workspaceId, placement)}`;
}

function propertiesOf(workspace: string, { tierIds = [], ...placement }: Placement) {
  const tierId = tierIds.length === 0 ? undefined : tierIds;
  return Object.entries({ workspace, tierId, ...placement }).filter(([, value]) => value !== undefined);
}

/** One ad is the default, which needs no attribute. */
function isCount(text: string): boolean {
  return /^\s*\d{1,2}\s*$/.test(text) && Number(text) > 1 && Number(text) <= MOST_ADS;
}
