import { z } from "zod";
import { sessionApi } from "./errors.ts";
import { jsonFile } from "./json-file.ts";
import { text } from "./text.ts";

/** What people do about themselves. */
export const accountContract = {
  delete: sessionApi
    .route({
      method: "DELETE",
      path: "/account",
      tags: ["Account"],
      summary: "Delete my account",
      description:
        "Ends my sessions, memberships and API keys at once, and revokes the invitations I made. The audit log of each workspace keeps what I did as a deleted person's. A 409 names the workspaces of which I am the only Owner. A wrong password is a 422; without a password of my own, I have to have signed in within the last ten minutes.",
    })
    .input(
      z.object({
        password: text(128)
          .optional()
          .meta({ description: "My password again. Left out by people who have none." }),
      }),
    )
    .output(z.object({ success: z.boolean() })),
  export: sessionApi
    .route({
      method: "GET",
      path: "/account/export",
      tags: ["Account"],
      summary: "Download my data",
      description:
        "One JSON file with everything that is stored about me: my account, sessions, memberships, API keys, invitations and what I did. No passwords, no secrets. Ten per hour.",
    })
    .output(jsonFile),
};
