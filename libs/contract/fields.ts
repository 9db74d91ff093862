import { z } from "zod";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { memberApi } from "./errors.ts";
import { page, pageOf, perPage } from "./query.ts";
import { id, timestamp } from "./text.ts";

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

const inWorkspace = z.object({ workspaceId: z.string() });

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
        fields: z
          .array(z.object({ id: z.string(), order: z.int().min(0) }))
          .max(1000)
          .superRefine(refuseRepeatedIds),
      }),
    )
    .output(z.object({ success: z.boolean() })),
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
