import { z } from "zod";
import { COUNT_LIMITS, LONGEST } from "#libs/domain/limits.ts";
import { peopleApi } from "./errors.ts";
import { pageOf } from "./query.ts";
import { trimmedText } from "./text.ts";
import { apiKey, newApiKey } from "./workspaces.ts";

const oneWorkspace = z.object({ workspaceId: z.string() });

/** Nobody writes down when one is used last: it is checked without asking anything. */
export const trackingKey = apiKey.omit({ lastUsedAt: true });
export type TrackingKey = z.output<typeof trackingKey>;

export const trackingKeysContract = {
  list: peopleApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/tracking-keys",
      tags: ["Tracking keys"],
      summary: "List tracking keys",
      description: "All of them, as one page.",
    })
    .input(oneWorkspace)
    .output(pageOf(trackingKey)),
  create: peopleApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/tracking-keys",
      tags: ["Tracking keys"],
      summary: "Create a tracking key",
      description: `For servers that report events, and for nothing else. The only answer that holds the key. It takes no \`Idempotency-Key\`, because the key would have to be stored to be repeated: after a lost answer, revoke the key and create another. It works within a second. ${COUNT_LIMITS.trackingKeys.sentence}`,
    })
    .input(oneWorkspace.extend({ name: trimmedText(1, LONGEST.name) }))
    .output(newApiKey),
  revoke: peopleApi("Manager")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/tracking-keys/{keyId}",
      tags: ["Tracking keys"],
      summary: "Revoke a tracking key",
      description: "Holds within a second.",
    })
    .input(oneWorkspace.extend({ keyId: z.string() }))
    .output(z.object({ success: z.boolean() })),
};
