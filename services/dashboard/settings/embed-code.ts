/** What of the ads a placement shows. Blank stands for all of them. */
export interface PlacementDraft {
  /** How many ads, as typed. */
  readonly count: string;
  /** The least weight of a tier whose ads are shown, as typed. */
  readonly least: string;
  /** The weight below which tiers are shown, as typed. */
  readonly below: string;
}

export const EMPTY_PLACEMENT: PlacementDraft = { count: "1", least: "", below: "" };

/** What stands once in every page that has a placement. */
export function embedScript(origin: string): string {
  return `<script src="${origin}/embed.js" async></script>`;
}

/** What stands where the ads are to be. What makes no sense is left out. */
export function placementTag(workspaceId: string, { count, least, below }: PlacementDraft): string {
  const attributes = [
    ["data-placard", workspaceId],
    ["data-count", isCount(count) ? String(Number(count)) : null],
    ["data-weight-gte", readWeight(least)],
    ["data-weight-lt", readWeight(below)],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name}="${value}"`]));
  return `<div ${attributes.join(" ")}></div>`;
}

const MOST_ADS = 50;

/** More than the one ad that is shown anyway. */
function isCount(text: string): boolean {
  return /^\s*\d{1,2}\s*$/.test(text) && Number(text) > 1 && Number(text) <= MOST_ADS;
}

function readWeight(text: string): string | null {
  const plain = text.trim().replace(",", ".");
  return /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain) ? String(Number(plain)) : null;
}
