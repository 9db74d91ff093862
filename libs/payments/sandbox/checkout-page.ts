import { type Html, html } from "./html.ts";
import { page } from "./page-layout.ts";
import type { Checkout, Price, Product } from "./records.ts";

/** What was typed, to be shown again beside what was wrong with it. */
export interface Attempt {
  readonly email: string;
  readonly name: string;
  readonly problem: string;
}

/** The hosted page of a session: a form while it is open, a notice after. */
export function checkoutPage(
  checkout: Checkout,
  price: Price,
  product: Product,
  attempt: Attempt | null,
): string {
  const { session } = checkout;
  if (session.status === "expired") {
    return notice(
      "This checkout has expired",
      "Nothing was bought. Start again to get a new one.",
      session.cancel_url,
    );
  }
  if (session.status === "complete") {
    return notice("This checkout is complete", "The subscription has begun.", successUrl(checkout));
  }
  const amount = session.amount_total ?? 0;
  const needsCard = amount > 0 || session.payment_method_collection === "always";
  const path = `/sandbox/checkout/${session.id}`;
  return page(
    `Subscribe to ${product.name}`,
    html`<form class="card" method="post" action="${path}/complete">
<h1>Subscribe to ${product.name}</h1>
<p class="price">${money(price.unit_amount ?? 0, price.currency)} <small>${period(price)}</small></p>
${trial(checkout.trialDays)}${problem(attempt)}
<label for="email">E-mail</label>
${emailInput(session.customer_email, attempt)}
<label for="name">Name or company <small>(optional)</small></label>
<input id="name" name="name" autocomplete="organization" maxlength="256" value="${attempt?.name ?? ""}">
<button>${amount === 0 ? "Subscribe" : `Pay ${money(amount, price.currency)}`}</button>
${!needsCard ? null : html`<button class="second" formaction="${path}/decline" formnovalidate>Decline the card</button>`}
${session.cancel_url === null ? null : html`<a class="back" href="${session.cancel_url}">Back</a>`}
</form>`,
  );
}

/** Where a paid session leads; the template `{CHECKOUT_SESSION_ID}` stands for its id. */
export function successUrl({ session }: Checkout): string {
  return (session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}

/** A page that only says something, with a way on where there is one. */
export function notice(title: string, words: string, next: string | null): string {
  const link = next === null ? null : html`<a class="back" href="${next}">Continue</a>`;
  return page(title, html`<div class="card"><h1>${title}</h1><p>${words}</p>${link}</div>`);
}

/** An amount in the smallest unit as people write it; currencies have 0, 2 or 3 decimals. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: currency.toUpperCase() });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function period(price: Price): string {
  const interval = price.recurring?.interval ?? "month";
  const count = price.recurring?.interval_count ?? 1;
  return count === 1 ? `a ${interval}` : `every ${count} ${interval}s`;
}

function trial(days: number): Html | null {
  return days === 0 ? null : html`<p>Free for the first ${String(days)} days.</p>`;
}

function problem(attempt: Attempt | null): Html | null {
  return attempt === null ? null : html`<p class="error" role="alert" id="problem">${attempt.problem}</p>`;
}

function emailInput(fixed: string | null, attempt: Attempt | null): Html {
  const value = fixed ?? attempt?.email ?? "";
  const described = attempt === null ? null : html` aria-describedby="problem"`;
  const readOnly = fixed === null ? null : html` readonly`;
  return html`<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${value}"${described}${readOnly}>`;
}
