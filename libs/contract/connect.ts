import { z } from "zod";
import { memberApi, peopleApi } from "./errors.ts";
import { timestamp, webUrl } from "./text.ts";

/** A workspace's own account at the payment processor. */
export const connection = z.object({
  available: z.boolean().meta({ description: "Whether workspaces may have an account of their own here." }),
  connected: z.boolean().meta({
    description: "Whether this workspace has one. Until then its sales go to the platform's account.",
  }),
  chargesEnabled: z
    .boolean()
    .meta({ description: "Whether advertisers can be charged. If not, creating a checkout answers 409." }),
  payoutsEnabled: z.boolean().meta({ description: "Whether money is paid out to the owner's bank." }),
  detailsSubmitted: z.boolean().meta({ description: "Whether onboarding is complete." }),
  accountId: z
    .string()
    .nullable()
    .meta({ description: "The processor's id; null while not connected.", examples: ["acct_1Example"] }),
  sandbox: z.boolean().meta({
    description: "Whether payments are in sandbox mode, in which no money moves.",
    examples: [false],
  }),
  processorTime: timestamp.meta({
    description:
      "Now, on the payment processor's clock. The sandbox's clock can be ahead; periods, ends and payments are times on it.",
  }),
});
export type Connection = z.output<typeof connection>;

const inWorkspace = z.object({ workspaceId: z.string() });

export const connectContract = {
  get: memberApi("Viewer")
    .meta({ callsProcessor: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/connect",
      tags: ["Connect"],
      summary: "Get the status of the workspace's own account",
      description: "While the account cannot charge, the payment processor is asked again.",
    })
    .input(inWorkspace)
    .output(connection),
  start: peopleApi("Owner")
    .meta({ callsProcessor: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/connect",
      tags: ["Connect"],
      summary: "Set up the workspace's own account",
      description:
        "Creates the account at the first call and returns a link, valid once, where the owner identifies themselves. The owner comes back to `returnUrl`, or to `refreshUrl` when the link has been used and a new one is needed; both default to this service. From then on new sales are made in the account; subscriptions that exist stay where they are. A 409 where workspaces have no account of their own.",
    })
    .input(inWorkspace.extend({ returnUrl: webUrl.optional(), refreshUrl: webUrl.optional() }))
    .output(z.object({ url: z.string(), accountId: z.string() })),
};
