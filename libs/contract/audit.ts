import { z } from "zod";
import { ACTOR_KINDS } from "#libs/domain/audit.ts";
import { memberApi } from "./errors.ts";
import { instant, pageOf, paging } from "./query.ts";
import { id, text, timestamp } from "./text.ts";

/** In characters; ids, actions and kinds are shorter. */
const LONGEST_FILTER = 200;

const named = z.object({ id: z.string(), name: z.string() });

const changedValues = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = z.object({
  id: id("aud_01kahm4sw4fksra52s8bd8xkd1"),
  occurredAt: timestamp,
  actor: z
    .object({
      kind: z.enum(ACTOR_KINDS),
      id: z.string().nullable().meta({ description: "The person's or the key's id; null for outsiders." }),
      name: z.string().meta({ description: "The name at that time." }),
    })
    .meta({
      description: "Who made the change. It remains after the person has left or the key is revoked.",
    }),
  action: z.string().meta({ description: "`resource.verb`.", examples: ["tier.archive"] }),
  resource: z.object({ kind: z.string(), id: z.string() }),
  subject: z
    .object({ ad: named.nullable().meta({ description: "Null until one is submitted." }), advertiser: named })
    .nullable()
    .meta({
      description:
        "Whose ad or subscription this is, with their current names; null for other resources, and after their deletion.",
    }),
  before: changedValues.meta({ description: "The changed values before; null if there were none." }),
  after: changedValues.meta({ description: "The changed values after; null if none are left." }),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const auditContract = {
  list: memberApi("Manager")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/audit-log",
      tags: ["Audit log"],
      summary: "List changes",
      description:
        "Who changed what, newest first. Entries never change and are deleted only with the workspace. Where the values before or after a change take over 4 KiB, long ones are cut: a text ends with its length, a list with how much is left out.",
    })
    .input(
      z.object({
        workspaceId: z.string(),
        actorKind: z
          .enum([...ACTOR_KINDS, "notProcessor"])
          .optional()
          .meta({ description: "`notProcessor`: everyone's changes but the payment processor's." }),
        actorId: text(LONGEST_FILTER, { description: "The id of a person or an API key." }).optional(),
        action: text(LONGEST_FILTER, {
          description: "As in the entry.",
          examples: ["tier.archive"],
        }).optional(),
        resourceKind: text(LONGEST_FILTER, {
          description: "As in the entry.",
          examples: ["tier"],
        }).optional(),
        resourceId: text(LONGEST_FILTER, { description: "As in the entry." }).optional(),
        from: instant("Only changes from this moment on."),
        until: instant("Only changes before this moment."),
        ...paging,
      }),
    )
    .output(pageOf(auditEntry)),
};
