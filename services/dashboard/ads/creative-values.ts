import { isBlank } from "#libs/domain/field-content.ts";
import type { Ad, Field } from "./ad-shapes.ts";

/** A field with what an ad has in it; undefined where it has nothing. */
export interface CreativeValue {
  readonly field: Field;
  readonly value: unknown;
  /** Of an image elsewhere that has no copy yet: it is named and never loaded. */
  readonly copy?: ImageCopy | undefined;
}

export type ImageCopy = NonNullable<Ad["meta"][number]["copy"]>;

/** What is said in the place of an image that has no copy. */
export function copyWords({ status, problem }: ImageCopy): string {
  if (status === "failed") return `This image could not be copied: ${problem ?? ""}`;
  return problem === null
    ? "This image is being copied."
    : `This image could not be copied yet, and is tried again: ${problem}`;
}

/** Every field in its order, with the value of the creative. Values of fields that are gone have no place. */
export function listCreativeValues(fields: readonly Field[], meta: Ad["meta"]): CreativeValue[] {
  const values = new Map(meta.map((one) => [one.fieldId, one]));
  return fields
    .toSorted((a, b) => a.order - b.order || a.id.localeCompare(b.id))
    .map((field) => {
      const { value, copy } = values.get(field.id) ?? {};
      return { field, value: isBlank(value) ? undefined : value, copy };
    });
}
