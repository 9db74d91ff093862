import { OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { ad, adStats, listedAd, subscription } from "#libs/contract/ads.ts";
import { advertiser } from "#libs/contract/advertisers.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { field } from "#libs/contract/fields.ts";
import { contract } from "#libs/contract/index.ts";
import { servingAd, servingTier } from "#libs/contract/serving.ts";
import { price, tier } from "#libs/contract/tiers.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { workspace } from "#libs/contract/workspaces.ts";

const BETA_TAGS = ["Ads", "Tiers", "Fields", "Advertisers", "Uploads"];

/** The interface description of everything below `{base}`: OpenAPI 3.1, made from the contract alone. */
export async function describeInterface(baseUrl: string) {
  const access = new Map(
    listEndpoints(contract).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint.access]),
  );
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const description = await generator.generate(contract, {
    info: {
      title: "Placard",
      version: "1.0.0",
      description:
        "Sell ad placements on your own site. The public surface needs no key and is meant for browsers; the management surface takes a secret API key and is in beta.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: "Serving", description: "What a site shows." },
      { name: "Tracking", description: "Impressions and clicks." },
      { name: "Checkout", description: "Buying a placement and submitting the ad." },
      ...BETA_TAGS.map((name) => ({ name, description: "Management surface, beta." })),
      { name: "Workspaces", description: "For signed-in people." },
      { name: "API keys", description: "For signed-in people." },
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "A secret API key, `Authorization: Bearer plc_…`.",
        },
        session: { type: "apiKey", in: "cookie", name: "placard.session_token" },
      },
    },
    commonSchemas: {
      Ad: { schema: ad },
      ListedAd: { schema: listedAd },
      AdStats: { schema: adStats },
      Subscription: { schema: subscription },
      Advertiser: { schema: advertiser },
      Tier: { schema: tier },
      Price: { schema: price },
      Field: { schema: field },
      ServingAd: { schema: servingAd },
      ServingTier: { schema: servingTier },
      UploadGrant: { schema: uploadGrant },
      Workspace: { schema: workspace },
    },
  });

  for (const [path, item] of Object.entries(description.paths ?? {})) {
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      const operation = item?.[method];
      if (operation === undefined) continue;
      const rule = access.get(`${method.toUpperCase()} ${path}`);
      operation.security = securityOf(rule?.kind ?? "public");
      if (operation.tags?.some((tag) => BETA_TAGS.includes(tag)))
        Object.assign(operation, { "x-beta": true });
    }
  }
  return description;
}

function securityOf(kind: "public" | "session" | "member" | "people"): Record<string, string[]>[] {
  if (kind === "public") return [];
  return kind === "member" ? [{ apiKey: [] }, { session: [] }] : [{ session: [] }];
}
