import { z } from "zod";
import { CAPS } from "#libs/domain/caps.ts";
import { MEMBER_ROLES } from "#libs/domain/member.ts";
import { SLUG } from "#libs/domain/slug.ts";
import { memberApi, peopleApi, sessionApi } from "./errors.ts";
import { jsonFile } from "./json-file.ts";
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
  role: memberRole.meta({ description: "What the caller is in it; a key is what its maker is." }),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const slug = z
  .string()
  .min(2)
  .max(60, { abort: true })
  .regex(SLUG, "Must be lower-case letters, digits and single hyphens.");

export const apiKey = z.object({
  id: id("key_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  prefix: z.string().meta({ description: "The key's beginning, to tell keys apart." }),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
  createdBy: z.object({ id: z.string(), name: z.string() }),
});

export const newApiKey = apiKey.pick({ id: true, name: true, prefix: true, createdAt: true }).extend({
  key: z.string().meta({ description: "The whole key. It is shown this once." }),
});

const oneWorkspace = z.object({ workspaceId: z.string() });

export const workspacesContract = {
  list: sessionApi
    .route({ method: "GET", path: "/workspaces", tags: ["Workspaces"], summary: "List my workspaces" })
    .output(z.object({ items: z.array(workspace) })),
  create: sessionApi
    .meta({ idempotent: true })
    .route({ method: "POST", path: "/workspaces", tags: ["Workspaces"], summary: "Create a workspace" })
    .input(
      z.object({
        name: trimmedText(2, 80),
        websiteUrl: webUrl.optional(),
        slug: slug.optional(),
        currency: currency.default("usd"),
      }),
    )
    .output(workspace),
  get: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}",
      tags: ["Workspaces"],
      summary: "Get a workspace",
    })
    .input(oneWorkspace)
    .output(workspace),
  update: memberApi("Owner")
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}",
      tags: ["Workspaces"],
      summary: "Change a workspace",
      description:
        "Only what is sent changes; `websiteUrl` null removes it. A `slug` that is taken is a 409. A new currency is what totals are shown in; prices keep theirs.",
    })
    .input(
      oneWorkspace.extend({
        name: trimmedText(2, 80).optional(),
        slug: slug.optional(),
        websiteUrl: webUrl.nullable().optional(),
        currency: currency.optional(),
      }),
    )
    .output(workspace),
  delete: peopleApi("Owner")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}",
      tags: ["Workspaces"],
      summary: "Delete a workspace",
      description:
        "Cannot be undone. At once nobody is a member any more, no key works, and nothing is served or sold. A background task then cancels every subscription and removes everything else: ads, advertisers, images, counts, the audit log. Invoices are kept without names for as long as the law asks.",
    })
    .input(
      oneWorkspace.extend({
        name: text(80).meta({ description: "The workspace's name, typed again; another one is a 422." }),
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
    })
    .input(oneWorkspace)
    .output(z.object({ items: z.array(apiKey) })),
  create: peopleApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/api-keys",
      tags: ["API keys"],
      summary: "Create an API key",
      description: `The only answer that holds the key. It takes no \`Idempotency-Key\`, as the key would have to be kept to be told again: after a lost answer, revoke and create anew. ${CAPS.apiKeys.sentence}`,
    })
    .input(oneWorkspace.extend({ name: trimmedText(1, 80) }))
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
