import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { isBlank } from "#libs/domain/field-content.ts";

/** A field and its value in an ad; undefined if it has none. */
interface CreativeValue {
  readonly field: Field;
  readonly value: unknown;
  /** Set for an external image without a copy: it is named and never loaded. */
  readonly copy?: ImageCopy | undefined;
}

export type ImageCopy = NonNullable<Ad["meta"][number]["copy"]>;

export function copyWords({ status, problem }: ImageCopy): string {
  if (status === "failed") return `This image couldn’t be copied: ${problem ?? ""}`;
  return problem === null
    ? "This image is being copied."
    : `This image couldn’t be copied yet; we’ll try again: ${problem}`;
}

/** Every field in order with its value. Values of deleted fields are left out. */
export function listCreativeValues(fields: readonly Field[], meta: Ad["meta"]): CreativeValue[] {
  const values = new Map(meta.map((one) => [one.fieldId, one]));
  return fields
    .toSorted((a, b) => a.order - b.order || a.id.localeCompare(b.id))
    .map((field) => {
      const { value, copy } = values.get(field.id) ?? {};
      return { field, value: isBlank(value) ? undefined : value, copy };
    });
}

/** A value as text. */
export function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return JSON.stringify(value) ?? "";
}
