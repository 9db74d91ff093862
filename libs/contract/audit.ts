import { z } from "zod";
import { memberApi } from "./errors.ts";
import { page, pageOf, perPage } from "./query.ts";
import { id, timestamp } from "./text.ts";

const changedValues = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = z.object({
  id: id("aud_01kahm4sw4fksra52s8bd8xkd1"),
  occurredAt: timestamp,
  actor: z
    .object({
      kind: z.enum(["person", "key", "advertiser", "processor", "operator"]),
      id: z.string().nullable().meta({ description: "The person's or the key's id; null for outsiders." }),
      name: z.string().meta({ description: "The name at that time." }),
    })
    .meta({
      description: "Who made the change. It remains after the person has left or the key is revoked.",
    }),
  action: z.string().meta({ description: "`resource.verb`.", examples: ["tier.archive"] }),
  resource: z.object({ kind: z.string(), id: z.string() }),
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
        "Who changed what, newest first. Entries never change and are deleted only with the workspace.",
    })
    .input(z.object({ workspaceId: z.string(), page, perPage }))
    .output(pageOf(auditEntry)),
};
