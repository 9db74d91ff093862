import type { ImageElsewhere } from "#libs/database/tables-creative.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { invalidInput } from "#libs/http/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";

type Meta = Readonly<Record<string, unknown>>;
export type ImagesElsewhere = Readonly<Record<string, ImageElsewhere>>;

/** What a creative holds: `meta` has images of ours alone, every other one waits beside it for its copy. */
export interface CreativeContent {
  readonly meta: Meta;
  readonly images_elsewhere: ImagesElsewhere;
}

/** Of one submission. */
const MOST_ELSEWHERE = 20;

/** Takes the images out of the values that lie elsewhere, to be copied from `now` on. */
export function separateImages(
  uploads: Pick<Uploads, "locate">,
  rules: readonly FieldRules[],
  values: Meta,
  now: number,
): CreativeContent {
  const elsewhere = new Map<string, ImageElsewhere>();
  for (const { id, type } of rules) {
    const address = values[id];
    if (type !== "Image" || typeof address !== "string" || uploads.locate(address) !== null) continue;
    elsewhere.set(id, { address, attempts: 0, dueAt: new Date(now).toISOString(), problem: null });
  }
  const meta = Object.fromEntries(Object.entries(values).filter(([id]) => !elsewhere.has(id)));
  return { meta, images_elsewhere: Object.fromEntries(elsewhere) };
}

/** 422 at `meta.<key>` for a submission with more images elsewhere than are copied for one. */
export function refuseTooMany(rules: readonly FieldRules[], { images_elsewhere }: CreativeContent): void {
  const tooMany = rules.filter(({ id }) => Object.hasOwn(images_elsewhere, id)).slice(MOST_ELSEWHERE);
  if (tooMany.length === 0) return;
  const sentence = `An ad may have ${MOST_ELSEWHERE} images at addresses elsewhere. Upload this one.`;
  throw invalidInput({
    fieldErrors: Object.fromEntries(tooMany.map(({ key }) => [`meta.${key}`, [sentence]])),
  });
}

/** The values as they were submitted, but for images that have a copy, whose address is ours by then. */
export function submittedValues({ meta, images_elsewhere }: CreativeContent): Meta {
  const addresses = Object.entries(images_elsewhere).map(([id, { address }]) => [id, address] as const);
  return { ...Object.fromEntries(addresses), ...meta };
}

/** Why an image has no copy yet, or will have none, as a sentence. */
export function whyNotCopied({ address, dueAt, problem }: ImageElsewhere): string {
  if (problem === null) return `The image at ${address} is being copied.`;
  if (dueAt === null) return `The image at ${address} could not be copied: ${problem}`;
  return `The image at ${address} could not be copied yet, and is tried again: ${problem}`;
}
