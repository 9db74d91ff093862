import { z } from "zod";
import { COUNT_LIMITS, LONGEST, SHORTEST } from "#libs/domain/limits.ts";
import { MEMBER_ROLES } from "#libs/domain/member.ts";
import { SLUG } from "#libs/domain/slug.ts";
import { memberApi, peopleApi, sessionApi } from "./errors.ts";
import { jsonFile } from "./json-file.ts";
import { pageOf } from "./query.ts";
import { currency, id, text, timestamp, trimmedText, webUrl } from "./text.ts";

export const memberRole = z.enum(MEMBER_ROLES).meta({
  description: "A Viewer reads, a Manager also changes, an Owner also runs the workspace and its members.",
});

export const workspace = z.object({
  id: id("ws_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  slug: z.string(),
  websiteUrl: z.string().nullable(),
  faviconUrl: z.string().nullable(),
  currency: z.string(),
  site: z
    .object({ host: z.string().meta({ examples: ["example.com"] }), seenAt: timestamp })
    .nullable()
    .meta({
      description:
        "The site that last asked for the workspace's ads, and when, to within ten minutes; null until a page with the tag has been seen.",
    }),
  role: memberRole.meta({ description: "The role of the caller, or of the maker of the key." }),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Workspace = z.output<typeof workspace>;

const SLUG_RULE = `Must be ${SHORTEST.slug} to ${LONGEST.slug} lower-case letters, digits and single hyphens.`;
const slug = z
  .string()
  .min(SHORTEST.slug, SLUG_RULE)
  .max(LONGEST.slug, { message: SLUG_RULE, abort: true })
  .regex(SLUG, SLUG_RULE);

/** What a workspace is created from. */
export const newWorkspace = z.object({
  name: trimmedText(SHORTEST.name, LONGEST.name),
  websiteUrl: webUrl.optional(),
  slug: slug.optional(),
  currency: currency.default("usd"),
});

/** What can be changed of a workspace. */
export const workspaceValues = z.object({
  name: trimmedText(SHORTEST.name, LONGEST.name),
  slug,
  websiteUrl: webUrl.nullable(),
  currency,
});

export const apiKey = z.object({
  id: id("key_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  prefix: z.string().meta({ description: "The key's beginning, to tell keys apart." }),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
  createdBy: z.object({ id: z.string(), name: z.string() }),
});
export type ApiKey = z.output<typeof apiKey>;

export const newApiKey = apiKey.pick({ id: true, name: true, prefix: true, createdAt: true }).extend({
  key: z.string().meta({ description: "The whole key. It is shown this once." }),
});

const oneWorkspace = z.object({ workspaceId: z.string() });

export const workspacesContract = {
  list: sessionApi
    .route({
      method: "GET",
      path: "/workspaces",
      tags: ["Workspaces"],
      summary: "List my workspaces",
      description: "All of them, as one page.",
    })
    .output(pageOf(workspace)),
  create: sessionApi
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces",
      tags: ["Workspaces"],
      summary: "Create a workspace",
      description: "The caller becomes its Owner. A person may have a limited number: a 409 beyond it.",
    })
    .input(newWorkspace)
    .output(workspace),
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}",
      tags: ["Workspaces"],
      summary: "Get a workspace",
      description: "With the caller's role in it.",
    })
    .input(oneWorkspace)
    .output(workspace),
  update: memberApi("Owner")
    .meta({ isTagged: true, takesIfMatch: true })
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}",
      tags: ["Workspaces"],
      summary: "Change a workspace",
      description:
        "Only what is sent changes; `websiteUrl` null removes it. A `slug` that is taken is a 409. Totals are shown in a new currency; prices keep theirs.",
    })
    .input(oneWorkspace.extend(workspaceValues.partial().shape))
    .output(workspace),
  delete: peopleApi("Owner")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}",
      tags: ["Workspaces"],
      summary: "Delete a workspace",
      description:
        "Cannot be undone. At once nobody is a member any more, no key works, and nothing is served or sold. A background task then cancels every subscription, refunds if `refund` says so, and removes everything else: ads, advertisers, images, counts, the audit log. Invoices are kept without names for as long as the law asks.",
    })
    .input(
      oneWorkspace.extend({
        name: text(LONGEST.name).meta({
          description: "The workspace's name, typed again; another one is a 422.",
        }),
        refund: z.boolean().meta({
          description:
            "Whether advertisers get back the unused part of their current periods, and everything that was paid for ads that never ran. There is no default: somebody has to decide.",
          examples: [true],
        }),
      }),
    )
    .output(z.object({ success: z.boolean() })),
  export: peopleApi("Owner")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/export",
      tags: ["Workspaces"],
      summary: "Download a workspace's data",
      description:
        "One JSON file with everything that is stored for the workspace: every row of every table, and daily counts. No secrets, no hashes. Ten per hour and person.",
    })
    .input(oneWorkspace)
    .output(jsonFile),
};

export const apiKeysContract = {
  list: peopleApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/api-keys",
      tags: ["API keys"],
      summary: "List API keys",
      description: "All of them, as one page.",
    })
    .input(oneWorkspace)
    .output(pageOf(apiKey)),
  create: peopleApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/api-keys",
      tags: ["API keys"],
      summary: "Create an API key",
      description: `The only answer that holds the key. It takes no \`Idempotency-Key\`, because the key would have to be stored to be repeated: after a lost answer, revoke the key and create another. ${COUNT_LIMITS.apiKeys.sentence}`,
    })
    .input(oneWorkspace.extend({ name: trimmedText(1, LONGEST.name) }))
    .output(newApiKey),
  revoke: peopleApi("Manager")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/api-keys/{keyId}",
      tags: ["API keys"],
      summary: "Revoke an API key",
      description: "Holds from the next request on.",
    })
    .input(oneWorkspace.extend({ keyId: z.string() }))
    .output(z.object({ success: z.boolean() })),
};
