import type { CardOptions } from "../card.ts";
import type { AdRequest } from "../types/embed.d.mts";

/** What a slot says in its attributes. */
export interface SlotSettings {
  readonly request: AdRequest;
  readonly card: CardOptions;
  /** The height that the slot has at least, in pixels, so that the page does not move when ads arrive; null for none. */
  readonly minHeight: number | null;
  /** A selector of the site's own template; null takes the one inside the slot, if there is one. */
  readonly template: string | null;
}

/** Attributes of a slot after `data-`: where one of them changes, it is filled again. */
const SETTINGS = [
  "placard",
  "count",
  "weight-gte",
  "weight-lt",
  "tier-id",
  "exclude-ids",
  "label",
  "theme",
  "text",
  "image",
  "button",
  "image-size",
  "min-height",
  "template",
] as const;

export const SETTING_ATTRIBUTES: string[] = SETTINGS.map((name) => `data-${name}`);

/** Numbers that are none are left out, as an empty attribute is. */
export function readSettings({ dataset }: HTMLElement): SlotSettings {
  return {
    request: {
      workspace: dataset.placard ?? "",
      count: numberOf(dataset.count),
      weightGte: numberOf(dataset.weightGte),
      weightLt: numberOf(dataset.weightLt),
      // Empty means no tier to the service: a slot for certain tiers shows no others because a variable was empty.
      tierId: dataset.tierId,
      excludeIds: dataset.excludeIds?.split(","),
    },
    card: {
      label: dataset.label || undefined,
      theme: dataset.theme || undefined,
      textKeys: dataset.text,
      imageKeys: dataset.image,
      buttonKeys: dataset.button,
      imageSize: dataset.imageSize,
    },
    minHeight: numberOf(dataset.minHeight) ?? null,
    template: dataset.template || null,
  };
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}
