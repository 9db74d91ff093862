import { z } from "zod";
import { ApiError, invalidRequest } from "../engine/api-error.ts";
import type { Engine } from "../engine/engine.ts";
import { newStripeId } from "../engine/ids.ts";
import { addBuiltInCodes } from "../engine/promotions.ts";
import type { Account } from "../engine/records.ts";
import { email, endpoint, expand, listing, metadata, pageOf, retrieval, text, webUrl } from "./endpoint.ts";

/** Seconds for which an onboarding link works. */
const LINK_FOR = 300;

const newAccountParams = z.strictObject({
  // The one kind of account that the adapter makes: its owner deals with Stripe, which bears the losses.
  controller: z
    .strictObject({
      fees: z.strictObject({ payer: z.literal("account") }),
      losses: z.strictObject({ payments: z.literal("stripe") }),
      requirement_collection: z.literal("stripe"),
      stripe_dashboard: z.strictObject({ type: z.literal("full") }),
    })
    .optional(),
  email: email.optional(),
  metadata: metadata.default({}),
  expand,
});

const newLinkParams = z.strictObject({
  account: text,
  type: z.literal("account_onboarding"),
  refresh_url: webUrl,
  return_url: webUrl,
  collection_options: z.strictObject({ fields: z.enum(["currently_due", "eventually_due"]) }).optional(),
  expand,
});

export const ACCOUNT_ENDPOINTS = [
  endpoint("POST", "/v1/accounts", newAccountParams, (engine, params) => {
    const account: Account = {
      id: newStripeId("acct"),
      object: "account",
      charges_enabled: false,
      created: engine.now(),
      details_submitted: false,
      email: params.email ?? null,
      metadata: params.metadata,
      payouts_enabled: false,
    };
    onPlatform(engine).records.save("account", account);
    addBuiltInCodes(engine.forAccount(account.id).records, engine.now());
    return account;
  }),

  endpoint("GET", "/v1/accounts", z.strictObject(listing), (engine, params) =>
    pageOf(onPlatform(engine), "account", "/v1/accounts", params),
  ),

  endpoint("GET", "/v1/accounts/:id", retrieval, (engine, _params, id) => accountOf(engine, id)),

  endpoint("POST", "/v1/account_links", newLinkParams, (engine, params) => {
    const { id } = accountOf(onPlatform(engine), params.account);
    const now = engine.now();
    const link = {
      id: newStripeId("onboarding"),
      account: id,
      refreshUrl: params.refresh_url,
      returnUrl: params.return_url,
      expiresAt: now + LINK_FOR,
    };
    engine.records.save("onboarding", link);
    return {
      object: "account_link",
      created: now,
      expires_at: link.expiresAt,
      url: new URL(`/sandbox/onboarding/${link.id}`, engine.publicUrl).href,
    };
  }),
];

/** The engine for the account that a request names. Throws Stripe's refusal when the platform has no such account. */
export function engineForRequest(engine: Engine, account: string | undefined): Engine {
  if (account === undefined || account === "") return engine;
  accountOf(engine, account);
  return engine.forAccount(account);
}

function accountOf(engine: Engine, id: string): Account {
  const isVisible = engine.account === null || engine.account === id;
  const account = isVisible ? engine.forAccount(null).records.find("account", id) : undefined;
  if (account !== undefined) return account;
  throw new ApiError(403, {
    type: "invalid_request_error",
    code: "account_invalid",
    message: `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
  });
}

function onPlatform(engine: Engine): Engine {
  if (engine.account === null) return engine;
  throw invalidRequest("Only the platform itself can do this.");
}
