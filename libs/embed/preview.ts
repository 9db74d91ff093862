import type { FieldType } from "#libs/domain/field.ts";
import type { ImageRules } from "#libs/domain/image-rules.ts";
import { USUAL_KEYS } from "./creative.ts";
import type { Ad } from "./types/embed.d.mts";

/** What a preview has to know of a creative field. */
export interface PreviewField {
  readonly id: string;
  readonly key: string;
  readonly type: FieldType;
  readonly placeholder: string;
  readonly maxLength: number | null;
  readonly isPublisherOnly: boolean;
  readonly image: ImageRules | null;
}

/** What an advertiser has written; a field's value by the field's id. */
export interface WrittenAd {
  readonly name: string;
  readonly websiteUrl: string;
  readonly faviconUrl: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where the picture of `sampleAd` is, below the installation. */
export const SAMPLE_IMAGE = "/sample-ad.svg";

const SAMPLE_TEXT = "One line about what you offer, and why people should care.";

/** An ad that is not served yet, as it would be: its values by the fields' keys, without publisher-only ones. */
export function previewAd(written: WrittenAd, fields: readonly PreviewField[]): Ad {
  const { name, websiteUrl, faviconUrl, values } = written;
  const asked = fields.filter(({ id, isPublisherOnly }) => !isPublisherOnly && Object.hasOwn(values, id));
  return {
    id: "",
    name,
    websiteUrl,
    faviconUrl: faviconUrl ?? "",
    weight: 1,
    meta: Object.fromEntries(asked.map(({ id, key }) => [key, values[id]])),
  };
}

/** An invented ad with the workspace's fields, whose picture is at `image`. It leads nowhere. */
export function sampleAd(fields: readonly PreviewField[], image: string): Ad {
  const [text, picture, button] = [
    fieldOf(fields, "text"),
    fieldOf(fields, "image"),
    fieldOf(fields, "button"),
  ];
  const values = [
    text === undefined ? null : ([text.id, sampleText(text)] as const),
    picture === undefined ? null : ([picture.id, image] as const),
    button === undefined ? null : ([button.id, "Learn more"] as const),
  ].filter((one) => one !== null);
  const written = { name: "Your company", websiteUrl: "", faviconUrl: null };
  return previewAd({ ...written, values: Object.fromEntries(values) }, fields);
}

/** The size of the workspace's images as slots name it, `300x250`; undefined where no field recommends one. */
export function recommendedSize(fields: readonly PreviewField[]): string | undefined {
  const { width, height } = fieldOf(fields, "image")?.image ?? { width: null, height: null };
  return width === null || height === null ? undefined : `${width}x${height}`;
}

/** The fields whose values a card shows, at most one for each of its parts; an icon only where there is no image. */
export function cardFields<F extends PreviewField>(fields: readonly F[]): F[] {
  const image = fieldOf(fields, "image") ?? fieldOf(fields, "icon");
  return [fieldOf(fields, "text"), image, fieldOf(fields, "button")].filter((field) => field !== undefined);
}

/** The field that a card shows as that part. */
function fieldOf<F extends PreviewField>(fields: readonly F[], part: keyof typeof USUAL_KEYS): F | undefined {
  return USUAL_KEYS[part]
    .split(",")
    .map((key) => fields.find((field) => field.key === key && !field.isPublisherOnly))
    .find((field) => field !== undefined);
}

function sampleText({ placeholder, maxLength }: PreviewField): string {
  const text = placeholder.trim() === "" ? SAMPLE_TEXT : placeholder;
  return Array.from(text)
    .slice(0, maxLength ?? text.length)
    .join("");
}
