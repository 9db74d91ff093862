import { z } from "zod";
import { ApiError, invalidRequest } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { newStripeId } from "./ids.ts";
import { newAccount } from "./new-account.ts";
import { pageOf } from "./pagination.ts";
import { currency, email, expand, listing, metadata, text, webUrl } from "./parameters.ts";
import { addStandingCodes } from "./promotion-codes.ts";
import type { Account } from "./records.ts";
import type { World } from "./world.ts";

/** How long an onboarding link is good, in seconds. */
const LINK_FOR = 300;

const requested = z.strictObject({ requested: z.enum(["true", "false"]) });
const capabilities = z.record(z.string().max(60), requested).optional();
const profile = z.strictObject({ name: text.max(200).optional(), url: webUrl.optional() }).optional();

const newAccountParams = z
  .strictObject({
    type: z.enum(["custom", "express", "standard"]).optional(),
    controller: z
      .strictObject({
        fees: z.strictObject({ payer: z.enum(["account", "application"]) }).optional(),
        losses: z.strictObject({ payments: z.enum(["application", "stripe"]) }).optional(),
        requirement_collection: z.enum(["application", "stripe"]).optional(),
        stripe_dashboard: z.strictObject({ type: z.enum(["express", "full", "none"]) }).optional(),
      })
      .optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, "Not a country")
      .default("US"),
    email: email.optional(),
    default_currency: currency.default("usd"),
    business_profile: profile,
    business_type: z.enum(["company", "government_entity", "individual", "non_profit"]).optional(),
    capabilities,
    metadata: metadata.default({}),
    expand,
  })
  .refine((params) => params.type === undefined || params.controller === undefined, {
    message: "You may only specify one of these parameters: type, controller.",
    path: ["type"],
  });

const changeParams = z.strictObject({
  email: email.optional(),
  business_profile: profile,
  capabilities,
  metadata: metadata.optional(),
  expand,
});

const newLinkParams = z.strictObject({
  account: text,
  type: z.enum(["account_onboarding", "account_update"]),
  refresh_url: webUrl,
  return_url: webUrl,
  collection_options: z
    .strictObject({
      fields: z.enum(["currently_due", "eventually_due"]).optional(),
      future_requirements: z.enum(["include", "omit"]).optional(),
    })
    .optional(),
  expand,
});

const retrieval = z.strictObject({ expand });

export const ACCOUNT_ENDPOINTS = [
  endpoint("POST", "/v1/accounts", newAccountParams, (world, params) => {
    onPlatform(world);
    const { controller = {} } = params;
    const account = newAccount(
      {
        type: params.type ?? "none",
        country: params.country,
        email: params.email ?? null,
        currency: params.default_currency,
        businessName: params.business_profile?.name ?? null,
        businessUrl: params.business_profile?.url ?? null,
        controller: {
          fees: { payer: controller.fees?.payer ?? "account" },
          losses: { payments: controller.losses?.payments ?? "stripe" },
          requirement_collection: controller.requirement_collection ?? "stripe",
          stripe_dashboard: { type: controller.stripe_dashboard?.type ?? "full" },
        },
        metadata: params.metadata,
      },
      world.now(),
    );
    world.records.save("account", account);
    addStandingCodes(world.within(account.id).records, world.now());
    return account;
  }),

  endpoint("GET", "/v1/accounts", z.strictObject(listing), (world, params) =>
    pageOf(onPlatform(world).records, "account", "/v1/accounts", params),
  ),

  endpoint("GET", "/v1/accounts/:id", retrieval, (world, _params, id) => accountOf(world, id)),

  endpoint("POST", "/v1/accounts/:id", changeParams, (world, params, id) => {
    const before = accountOf(world, id);
    const { business_profile: told } = params;
    const after: Account = {
      ...before,
      email: params.email ?? before.email,
      metadata: { ...before.metadata, ...params.metadata },
      business_profile:
        before.business_profile == null
          ? null
          : {
              ...before.business_profile,
              name: told?.name ?? before.business_profile.name,
              url: told?.url ?? before.business_profile.url,
            },
    };
    world.within(null).records.save("account", after);
    world.within(id).emit("account.updated", after);
    return after;
  }),

  endpoint("POST", "/v1/account_links", newLinkParams, (world, params) => {
    const { id } = accountOf(onPlatform(world), params.account);
    const now = world.now();
    const link = {
      id: newStripeId("onboarding"),
      account: id,
      refreshUrl: params.refresh_url,
      returnUrl: params.return_url,
      expiresAt: now + LINK_FOR,
    };
    world.records.save("onboarding", link);
    return {
      object: "account_link",
      created: now,
      expires_at: link.expiresAt,
      url: new URL(`/sandbox/onboarding/${link.id}`, world.publicUrl).href,
    };
  }),
];

/** The world of the account that a request names. Throws Stripe's refusal when the platform has no such account. */
export function worldOfRequest(world: World, account: string | undefined): World {
  if (account === undefined || account === "") return world;
  accountOf(world, account);
  return world.within(account);
}

function accountOf(world: World, id: string): Account {
  const own = world.account === null || world.account === id;
  const account = own ? world.within(null).records.find("account", id) : undefined;
  if (account !== undefined) return account;
  throw new ApiError(403, {
    type: "invalid_request_error",
    code: "account_invalid",
    message: `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
  });
}

function onPlatform(world: World): World {
  if (world.account === null) return world;
  throw invalidRequest("Only the platform itself can do this.");
}
