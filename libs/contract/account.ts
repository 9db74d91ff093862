import { z } from "zod";
import { LONGEST } from "#libs/domain/limits.ts";
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
        "Immediately ends my sessions, memberships and API keys, and revokes the invitations I made. The audit log of each workspace keeps what I did as a deleted person's. A 409 names the workspaces of which I am the only Owner. A wrong password is a 422; without a password of my own, I have to have signed in within the last ten minutes.",
    })
    .input(
      z.object({
        password: text(LONGEST.password)
          .optional()
          .meta({ description: "My password. Omit it if I have none." }),
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
