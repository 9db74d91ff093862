import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { type ImageCopy, listCreativeValues } from "../components/creative-values.ts";

type Creative = Pick<Ad, "name" | "websiteUrl" | "meta">;

/** One part of the ad content, before and after; undefined if empty. `field` is null for name and website. */
export interface Change {
  readonly key: string;
  readonly label: string;
  readonly field: Field | null;
  readonly before: unknown;
  readonly after: unknown;
  /** For images without a copy. */
  readonly copies: { readonly before?: ImageCopy | undefined; readonly after?: ImageCopy | undefined };
  readonly kind: "same" | "added" | "removed" | "changed";
}

/** Compares the current and the proposed content in the order of the form. Publisher-only fields are not part of it. */
export function compareCreatives(running: Creative, proposed: Creative, fields: readonly Field[]): Change[] {
  const asked = fields.filter(({ isPublisherOnly }) => !isPublisherOnly);
  const after = new Map(listCreativeValues(asked, proposed.meta).map((one) => [one.field.id, one]));
  return [
    compare("name", "Name", null, running.name, proposed.name),
    compare("websiteUrl", "Website", null, running.websiteUrl, proposed.websiteUrl),
    ...listCreativeValues(asked, running.meta)
      .map(({ field, value, copy }) => {
        const proposedValue = after.get(field.id);
        return {
          ...compare(field.id, field.name, field, value, proposedValue?.value),
          copies: { before: copy, after: proposedValue?.copy },
        };
      })
      .filter(({ before, after: proposedValue }) => before !== undefined || proposedValue !== undefined),
  ];
}

function compare(key: string, label: string, field: Field | null, before: unknown, after: unknown): Change {
  return { key, label, field, before, after, copies: {}, kind: kindOf(before, after) };
}

function kindOf(before: unknown, after: unknown): Change["kind"] {
  if (before === undefined) return after === undefined ? "same" : "added";
  if (after === undefined) return "removed";
  return before === after || JSON.stringify(before) === JSON.stringify(after) ? "same" : "changed";
}
