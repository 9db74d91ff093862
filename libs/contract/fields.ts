import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { CAPS } from "#libs/domain/caps.ts";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { FIELD_KEY } from "#libs/domain/field-key.ts";
import { describeBody } from "./body-rule.ts";
import { memberApi } from "./errors.ts";
import { FIELD_KINDS } from "./field-kinds.ts";
import { page, pageOf, perPage } from "./query.ts";
import { id, text, timestamp, trimmedText } from "./text.ts";

export const field = z.object({
  id: id("field_01kahm4sw4fksra52s8bd8xkd1"),
  key: z.string().meta({ description: "Name of the value in an ad's public `meta`.", examples: ["tagline"] }),
  name: z.string().meta({ examples: ["Tagline"] }),
  type: z.enum(FIELD_TYPES),
  description: z.string(),
  default: z.string(),
  placeholder: z.string(),
  isRequired: z.boolean(),
  isPublisherOnly: z.boolean().meta({ description: "Neither asked of advertisers nor served." }),
  order: z.int(),
  options: z.array(z.string()).meta({ description: "The choices of a Select." }),
  maxLength: z.int().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  workspaceId: id("ws_01kahm4sw4fksra52s8bd8xkd1"),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** The answer where there is nothing left, or nothing single, to show. */
export const acknowledged = z.object({ success: z.boolean() });

const inWorkspace = z.object({ workspaceId: z.string() });
const oneField = inWorkspace.extend({ fieldId: z.string() });

/** What a field can be made with and changed to; whether it fits together is judged on the whole field. */
const fieldValues = {
  name: trimmedText(1, 80, { examples: ["Tagline"] }),
  type: z.enum(FIELD_TYPES),
  key: z
    .string()
    .regex(FIELD_KEY, "Must be 1 to 40 lower-case letters, digits and underscores, beginning with a letter.")
    .meta({ description: "Unique in the workspace.", examples: ["tagline"] }),
  description: text(2000),
  default: text(10_000, {
    description:
      "A value of the field's type as text; `true` or `false` for a Switch. What an ad gets whose advertiser does not mention the field.",
  }),
  placeholder: text(500),
  isRequired: z.boolean(),
  isPublisherOnly: z.boolean(),
  order: z.int().min(0),
  options: z
    .array(z.string())
    .meta({ description: "For a Select: 1 to 100 different texts of at most 200 characters." }),
  maxLength: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: "For a Text (at most 500) or Textarea (at most 10,000)." }),
  min: z.number().nullable().meta({ description: "For a Number." }),
  max: z.number().nullable().meta({ description: "For a Number." }),
};

const newField = z.object({
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
    })
    .input(inWorkspace.extend({ page, perPage }))
    .output(pageOf(field)),
  create: memberApi("Manager")
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/fields",
      tags: ["Fields"],
      summary: "Create a creative field",
      description: `A \`key\` that is taken is a 409. A required field is asked of advertisers from now on; ads that are there already stay as they are. ${CAPS.fields.sentence}`,
      spec: describeBody(FIELD_KINDS),
    })
    .input(inWorkspace.extend(newField.shape))
    .output(field),
  get: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/fields/{fieldId}",
      tags: ["Fields"],
      summary: "Get a creative field",
    })
    .input(oneField)
    .output(field),
  update: memberApi("Manager")
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/fields/{fieldId}",
      tags: ["Fields"],
      summary: "Change a creative field",
      description:
        "Only what is sent changes, and the field as a whole has to be sound afterwards. New rules hold for values from now on. The `type` cannot change while ads or their revisions hold values of the field, nor the `key` to one that is taken: a 409.",
    })
    .input(oneField.extend(z.object(fieldValues).partial().shape))
    .output(field),
  delete: memberApi("Manager")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/fields/{fieldId}",
      tags: ["Fields"],
      summary: "Delete a creative field",
      description:
        "Its values are neither shown nor served any more. The `order` of the other fields stays as it is.",
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
        fields: z.array(fieldMove).max(1000).superRefine(refuseRepeatedIds),
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
