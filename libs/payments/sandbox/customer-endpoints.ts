import { z } from "zod";
import { missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { newStripeId } from "./ids.ts";
import { newCustomer } from "./new-products.ts";
import { pageOf } from "./pagination.ts";
import { datedListing, email, expand, metadata, text, webUrl } from "./parameters.ts";
import type { Customer, PortalSession } from "./records.ts";
import type { World } from "./world.ts";

const newCustomerParams = z.strictObject({
  email: email.optional(),
  name: text.max(256).optional(),
  metadata: metadata.default({}),
  expand,
});

const customerChange = z.strictObject({
  email: email.optional(),
  name: z.string().max(256).optional(),
  metadata: metadata.optional(),
  expand,
});

const customerListing = z.strictObject({ ...datedListing, email: email.optional() });
const retrieval = z.strictObject({ expand });
const newPortalParams = z.strictObject({ customer: text, return_url: webUrl.optional(), expand });

export const CUSTOMER_ENDPOINTS = [
  endpoint("POST", "/v1/customers", newCustomerParams, (world, params) => {
    const person = { email: params.email ?? null, name: params.name ?? null };
    const customer = newCustomer(person, params.metadata, world.now());
    world.records.save("customer", customer);
    world.emit("customer.created", customer);
    return customer;
  }),

  endpoint("GET", "/v1/customers", customerListing, ({ records }, params) =>
    pageOf(records, "customer", "/v1/customers", params, { email: params.email }),
  ),

  endpoint("GET", "/v1/customers/:id", retrieval, (world, _params, id) => customerOf(world, id)),

  endpoint("POST", "/v1/customers/:id", customerChange, (world, params, id) => {
    const before = customerOf(world, id);
    const customer: Customer = {
      ...before,
      email: params.email ?? before.email,
      name: params.name === undefined ? (before.name ?? null) : params.name || null,
      metadata: { ...before.metadata, ...params.metadata },
    };
    world.records.save("customer", customer);
    return customer;
  }),

  endpoint("POST", "/v1/billing_portal/sessions", newPortalParams, (world, params) => {
    const customer = customerOf(world, params.customer, "customer");
    const id = newStripeId("bps");
    const session: PortalSession = {
      id,
      object: "billing_portal.session",
      configuration: "bpc_sandbox",
      created: world.now(),
      customer: customer.id,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: null,
      on_behalf_of: null,
      return_url: params.return_url ?? null,
      url: new URL(`/sandbox/portal/${id}`, world.publicUrl).href,
    };
    world.records.save("portal", session);
    return session;
  }),
];

function customerOf({ records }: World, id: string, param?: string): Customer {
  const customer = records.find("customer", id);
  if (customer === undefined) throw missing("customer", id, param);
  return customer;
}
