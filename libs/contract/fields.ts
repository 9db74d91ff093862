import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { LONGEST_TEXT } from "#libs/domain/field-content.ts";
import { LONGEST_OPTION, MOST_OPTIONS } from "#libs/domain/field-definition.ts";
import { FIELD_KEY } from "#libs/domain/field-key.ts";
import { IMAGE_RATIO, LONGEST_SIDE } from "#libs/domain/image-rules.ts";
import { COUNT_LIMITS, LONGEST, MOST } from "#libs/domain/limits.ts";
import { describeBody } from "./body-rule.ts";
import { memberApi } from "./errors.ts";
import { describeFieldKinds } from "./field-kinds.ts";
import { pageOf, paging } from "./query.ts";
import { id, text, timestamp, trimmedText, whole } from "./text.ts";

const LONGEST_VALUE = Math.max(...Object.values(LONGEST_TEXT));
const pixels = z.int().min(1).max(LONGEST_SIDE).nullable().default(null);

/** What an image field asks of its images. */
const imageRules = z.object({
  width: pixels.meta({ description: "Recommended, in pixels.", examples: [600] }),
  height: pixels.meta({ description: "Recommended, in pixels.", examples: [500] }),
  ratio: z
    .string()
    .regex(IMAGE_RATIO, "Must be a width and a height, such as 6:5.")
    .nullable()
    .default(null)
    .meta({ description: "Width to height. An image may differ from it by 3 percent.", examples: ["6:5"] }),
  minWidth: pixels.meta({ description: "In pixels. A smaller image is refused.", examples: [300] }),
  minHeight: pixels.meta({ description: "In pixels. A smaller image is refused.", examples: [250] }),
});

export const field = z.object({
  id: id("field_01kahm4sw4fksra52s8bd8xkd1"),
  key: z.string().meta({ description: "Name of the value in an ad's public `meta`.", examples: ["tagline"] }),
  name: z.string().meta({ examples: ["Tagline"] }),
  type: z.enum(FIELD_TYPES),
  description: z.string(),
  default: z.string(),
  placeholder: z.string(),
  isRequired: z.boolean(),
  isPublisherOnly: z.boolean().meta({ description: "Neither shown to advertisers nor served." }),
  order: whole,
  options: z.array(z.string()).meta({ description: "The choices of a Select." }),
  maxLength: z.int().min(1).max(LONGEST_VALUE).nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  image: imageRules.nullable().meta({ description: "For an Image." }),
  workspaceId: id("ws_01kahm4sw4fksra52s8bd8xkd1"),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Field = z.output<typeof field>;

/** The answer where there is nothing left, or nothing single, to show. */
export const acknowledged = z.object({ success: z.boolean() });

const inWorkspace = z.object({ workspaceId: z.string() });
const oneField = inWorkspace.extend({ fieldId: z.string() });

/** What a field can be made with and changed to; whether it fits together is judged on the whole field. */
const fieldValues = {
  name: trimmedText(1, LONGEST.name, { examples: ["Tagline"] }),
  type: z.enum(FIELD_TYPES),
  key: z
    .string()
    .regex(FIELD_KEY, "Must be 1 to 40 lower-case letters, digits and underscores, beginning with a letter.")
    .meta({ description: "Unique in the workspace.", examples: ["tagline"] }),
  description: text(LONGEST.description),
  default: text(LONGEST_TEXT.Textarea, {
    description:
      "A value of the field's type as text; `true` or `false` for a Switch. Used when the advertiser does not send the field.",
  }),
  placeholder: text(LONGEST.placeholder),
  isRequired: z.boolean(),
  isPublisherOnly: z.boolean(),
  order: whole,
  options: z.array(z.string()).meta({
    description: `For a Select: 1 to ${MOST_OPTIONS} different texts of at most ${LONGEST_OPTION} characters.`,
  }),
  maxLength: z
    .int()
    .min(1)
    .max(LONGEST_VALUE)
    .nullable()
    .meta({
      description: `For a Text (at most ${LONGEST_TEXT.Text}) or Textarea (at most ${LONGEST_TEXT.Textarea}).`,
    }),
  min: z.number().nullable().meta({ description: "For a Number." }),
  max: z.number().nullable().meta({ description: "For a Number." }),
  image: imageRules.nullable().meta({
    description: "For an Image; null asks nothing of it. A change replaces all of it.",
  }),
};

/** What a field is created from. */
export const newField = z.object({
  ...fieldValues,
  key: fieldValues.key.optional().meta({ description: "Default: made from the name." }),
  description: fieldValues.description.default(""),
  default: fieldValues.default.default(""),
  placeholder: fieldValues.placeholder.default(""),
  isRequired: fieldValues.isRequired.default(false),
  isPublisherOnly: fieldValues.isPublisherOnly.default(false),
  order: fieldValues.order.optional().meta({ description: "Default: after the last field." }),
  options: fieldValues.options.default([]),
  maxLength: fieldValues.maxLength.default(null),
  min: fieldValues.min.default(null),
  max: fieldValues.max.default(null),
  image: fieldValues.image.default(null),
});

const target = z.int();
JSON_SCHEMA_INPUT_REGISTRY.add(target, { minimum: 0, description: "Target position, from 0." });

const fieldMove = z
  .object({ id: z.string(), order: target })
  .refine(({ order }) => order >= 0, "The target position must not be negative.");

export const fieldsContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/fields",
      tags: ["Fields"],
      summary: "List creative fields",
      description: "All fields of the workspace in the order in which advertisers fill them in.",
    })
    .input(inWorkspace.extend(paging))
    .output(pageOf(field)),
  create: memberApi("Manager")
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/fields",
      tags: ["Fields"],
      summary: "Create a creative field",
      description: `A \`key\` that is already in use is a 409. A required field applies to submissions from now on; existing ads do not change. ${COUNT_LIMITS.fields.sentence}`,
      spec: describeBody(describeFieldKinds),
    })
    .input(inWorkspace.extend(newField.shape))
    .output(field),
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/fields/{fieldId}",
      tags: ["Fields"],
      summary: "Get a creative field",
      description: "With the rules that its values keep.",
    })
    .input(oneField)
    .output(field),
  update: memberApi("Manager")
    .meta({ isTagged: true, takesIfMatch: true })
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/fields/{fieldId}",
      tags: ["Fields"],
      summary: "Change a creative field",
      description:
        "Fields that are not sent keep their values; the creative field as a whole must be valid afterwards. New rules apply to values from now on. The `type` cannot change while ads or their revisions hold values of the field, nor the `key` to one already in use: a 409.",
    })
    .input(oneField.extend(z.object(fieldValues).partial().shape))
    .output(field),
  delete: memberApi("Manager")
    .meta({ takesIfMatch: true })
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/fields/{fieldId}",
      tags: ["Fields"],
      summary: "Delete a creative field",
      description:
        "Its values are no longer shown or served. The `order` of the other fields does not change.",
    })
    .input(oneField)
    .output(acknowledged),
  reorder: memberApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/fields/reorder",
      tags: ["Fields"],
      summary: "Move fields to target positions",
      description:
        "Each `order` is a target position in the final list. Unmentioned fields keep their relative order, and afterwards every field is renumbered 0..n-1. An unknown id fails the whole request with a 404.",
    })
    .input(
      inWorkspace.extend({
        fields: z.array(fieldMove).max(MOST.moves).superRefine(refuseRepeatedIds),
      }),
    )
    .output(acknowledged),
};

function refuseRepeatedIds(moves: readonly { id: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, move] of moves.entries()) {
    if (seen.has(move.id)) {
      context.addIssue({ code: "custom", path: [index], message: "The field is mentioned twice." });
    }
    seen.add(move.id);
  }
}
