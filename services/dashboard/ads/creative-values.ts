import { isBlank } from "#libs/domain/field-content.ts";
import type { Ad, Field } from "./ad-shapes.ts";

/** A field with what an ad has in it; undefined where it has nothing. */
export interface CreativeValue {
  readonly field: Field;
  readonly value: unknown;
}

/** Every field in its order, with the value of the creative. Values of fields that are gone have no place. */
export function listCreativeValues(fields: readonly Field[], meta: Ad["meta"]): CreativeValue[] {
  const values = new Map(meta.map(({ fieldId, value }) => [fieldId, value]));
  return fields
    .toSorted((a, b) => a.order - b.order || a.id.localeCompare(b.id))
    .map((field) => {
      const value = values.get(field.id);
      return { field, value: isBlank(value) ? undefined : value };
    });
}
