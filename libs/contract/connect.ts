import { z } from "zod";
import { memberApi, peopleApi } from "./errors.ts";
import { webUrl } from "./text.ts";

/** A workspace's own account at the payment processor. */
export const connection = z.object({
  available: z.boolean().meta({ description: "Whether workspaces may have an account of their own here." }),
  connected: z
    .boolean()
    .meta({ description: "Whether this one has. Until then its sales are the platform's." }),
  chargesEnabled: z
    .boolean()
    .meta({ description: "Whether advertisers can be charged. While not, a checkout is refused with 409." }),
  payoutsEnabled: z.boolean().meta({ description: "Whether the money goes on to the owner's bank." }),
  detailsSubmitted: z.boolean().meta({ description: "Whether the onboarding has been gone through." }),
  accountId: z
    .string()
    .nullable()
    .meta({ description: "The processor's id; null while not connected.", examples: ["acct_1Example"] }),
  sandbox: z
    .boolean()
    .meta({ description: "Whether payments are a sandbox, in which no money moves.", examples: [false] }),
});

const inWorkspace = z.object({ workspaceId: z.string() });

export const connectContract = {
  get: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/connect",
      tags: ["Connect"],
      summary: "State of the workspace's own account",
      description: "While the account cannot charge, the payment processor is asked anew.",
    })
    .input(inWorkspace)
    .output(connection),
  start: peopleApi("Owner")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/connect",
      tags: ["Connect"],
      summary: "Set up the workspace's own account",
      description:
        "Makes the account at the first call and answers a link, good for one visit, where its owner says who they are. The owner comes back to `returnUrl`, or to `refreshUrl` when the link was used up and another has to be asked for; both default to this service. From then on new sales are made in the account; subscriptions that exist stay where they are. A 409 where workspaces have no account of their own.",
    })
    .input(inWorkspace.extend({ returnUrl: webUrl.optional(), refreshUrl: webUrl.optional() }))
    .output(z.object({ url: z.string(), accountId: z.string() })),
};
