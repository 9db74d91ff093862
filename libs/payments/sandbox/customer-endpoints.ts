import { z } from "zod";
import { missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { newStripeId } from "./ids.ts";
import { newCustomer } from "./new-products.ts";
import { pageOf } from "./pagination.ts";
import { email, expand, listing, metadata, text, webUrl } from "./parameters.ts";
import type { Customer, PortalSession } from "./records.ts";
import type { World } from "./world.ts";

const newCustomerParams = z.strictObject({
  email: email.optional(),
  name: text.max(256).optional(),
  metadata: metadata.default({}),
  expand,
});

const customerListing = z.strictObject({ ...listing, email: email.optional() });
const retrieval = z.strictObject({ expand });
const newPortalParams = z.strictObject({ customer: text, return_url: webUrl.optional(), expand });
const invoiceListing = z.strictObject({
  ...listing,
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
});

export const CUSTOMER_ENDPOINTS = [
  endpoint("POST", "/v1/customers", newCustomerParams, (world, params) => {
    const person = { email: params.email ?? null, name: params.name ?? null };
    const customer = newCustomer(person, params.metadata, world.now());
    world.state.save("customer", customer);
    world.emit("customer.created", customer);
    return customer;
  }),

  endpoint("GET", "/v1/customers", customerListing, ({ state }, params) => {
    const all = state.list("customer");
    const found = all.filter((customer) => params.email === undefined || customer.email === params.email);
    return pageOf(found, "/v1/customers", params);
  }),

  endpoint("GET", "/v1/customers/:id", retrieval, (world, _params, id) => customerOf(world, id)),

  endpoint("GET", "/v1/invoices", invoiceListing, ({ state }, params) => {
    const { customer, subscription, status } = params;
    const invoices = state
      .list("invoice")
      .filter((invoice) => customer === undefined || invoice.customer === customer)
      .filter((invoice) => status === undefined || invoice.status === status)
      .filter((invoice) => {
        const of = invoice.parent?.subscription_details?.subscription;
        return subscription === undefined || of === subscription;
      });
    return pageOf(invoices, "/v1/invoices", params);
  }),

  endpoint("GET", "/v1/invoices/:id", retrieval, ({ state }, _params, id) => {
    const invoice = state.find("invoice", id);
    if (invoice === undefined) throw missing("invoice", id);
    return invoice;
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
    world.state.save("portal", session);
    return session;
  }),
];

function customerOf({ state }: World, id: string, param?: string): Customer {
  const customer = state.find("customer", id);
  if (customer === undefined) throw missing("customer", id, param);
  return customer;
}
