import { money } from "./checkout-page.ts";
import { html } from "./html.ts";
import { itemOf } from "./lifecycle.ts";
import { page } from "./page-layout.ts";
import type { PortalSession, Subscription } from "./records.ts";

/** The customer's view of the subscriptions; it shows them and changes nothing. */
export function portalPage(portal: PortalSession, subscriptions: readonly Subscription[]): string {
  const rows = subscriptions.map((subscription) => {
    const { price } = itemOf(subscription);
    return html`<li>${money(price.unit_amount ?? 0, price.currency)}, ${subscription.status}</li>`;
  });
  const list = rows.reduce((all, row) => html`${all}${row}`, html``);
  const back = portal.return_url;
  const link = back === null ? null : html`<a class="back" href="${back}">Back</a>`;
  return page(
    "Your subscriptions",
    html`<div class="card"><h1>Your subscriptions</h1><ul>${list}</ul>${link}</div>`,
  );
}
