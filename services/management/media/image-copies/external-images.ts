import type { ExternalImage } from "#libs/database/json-columns.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { invalidInput } from "#libs/http/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";

/** Field values by field ID. */
export type FieldValues = Readonly<Record<string, unknown>>;
export type ExternalImages = Readonly<Record<string, ExternalImage>>;

/** The values of an ad: `meta` has only images of our store; external ones wait for their copy in `images_elsewhere`. */
export interface CreativeContent {
  readonly meta: FieldValues;
  readonly images_elsewhere: ExternalImages;
}

const MOST_EXTERNAL_PER_SUBMISSION = 20;

/** Takes external images out of the values, to be copied from `now` on. */
export function separateImages(
  uploads: Pick<Uploads, "locate">,
  rules: readonly FieldRules[],
  values: FieldValues,
  now: number,
): CreativeContent {
  const external = new Map<string, ExternalImage>();
  for (const { id, type } of rules) {
    const address = values[id];
    if (type !== "Image" || typeof address !== "string" || uploads.locate(address) !== null) continue;
    external.set(id, { address, attempts: 0, dueAt: new Date(now).toISOString(), problem: null });
  }
  const meta = Object.fromEntries(Object.entries(values).filter(([id]) => !external.has(id)));
  return { meta, images_elsewhere: Object.fromEntries(external) };
}

/** Throws 422 at `meta.<key>` for a submission with too many external images. */
export function refuseTooMany(rules: readonly FieldRules[], { images_elsewhere }: CreativeContent): void {
  const tooMany = rules
    .filter(({ id }) => Object.hasOwn(images_elsewhere, id))
    .slice(MOST_EXTERNAL_PER_SUBMISSION);
  if (tooMany.length === 0) return;
  const sentence = `An ad may have at most ${MOST_EXTERNAL_PER_SUBMISSION} images from other sites. Upload this one.`;
  throw invalidInput("TOO_MANY_EXTERNAL_IMAGES", {
    fieldErrors: Object.fromEntries(tooMany.map(({ key }) => [`meta.${key}`, [sentence]])),
  });
}

/** The values as submitted, except that a copied image has the address of its copy. */
export function submittedValues({ meta, images_elsewhere }: CreativeContent): FieldValues {
  const addresses = Object.entries(images_elsewhere).map(([id, { address }]) => [id, address] as const);
  return { ...Object.fromEntries(addresses), ...meta };
}

/** A sentence that says why an image has no copy. */
export function whyNotCopied({ address, dueAt, problem }: ExternalImage): string {
  if (problem === null) return `The image at ${address} is being copied.`;
  if (dueAt === null) return `The image at ${address} could not be copied: ${problem}`;
  return `The image at ${address} could not be copied yet and will be tried again: ${problem}`;
}
