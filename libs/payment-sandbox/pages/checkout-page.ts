import { type Html, html } from "#libs/html/index.ts";
import { asksForCard } from "../engine/checkouts.ts";
import type { Promotion } from "../engine/promotions.ts";
import type { Checkout } from "../engine/record-kinds.ts";
import type { Price, Product } from "../engine/records.ts";
import { cardChoice, money, notice, page, problemNote, rhythm } from "./layout.ts";

/** The form as it was submitted, and what was wrong with it. */
export interface Attempt {
  readonly email: string;
  readonly name: string;
  readonly card: string;
  readonly promotionCode: string;
  readonly problem: string | null;
}

/** The price, product and promotion of a session. */
export interface Offer {
  readonly price: Price;
  readonly product: Product;
  readonly promotion: Promotion | null;
}

/** The hosted page of a session: a form while it is open, a notice after. */
export function checkoutPage(checkout: Checkout, offer: Offer, attempt: Attempt): string {
  const { session } = checkout;
  if (session.status === "expired") {
    const words = "You haven't been charged. Start over to get a new one.";
    return notice("This checkout has expired", words, session.cancel_url);
  }
  if (session.status === "complete") {
    return notice("This checkout is complete", "Your subscription has started.", successUrl(checkout));
  }
  const { price, product } = offer;
  const amount = session.amount_total;
  const path = pathOf(checkout);
  const pay = amount === 0 ? "Subscribe" : `Pay ${money(amount, price.currency)}`;
  const needsCard = asksForCard(checkout);
  return page(
    `Subscribe to ${product.name}`,
    html`<form class="card" method="post" action="${path}/complete">
<button class="default" tabindex="-1" aria-hidden="true">${pay}</button>
<h1>Subscribe to ${product.name}</h1>
<p class="price">${money(price.unit_amount, price.currency)} <small>${rhythm(price)}</small></p>
${chargedLater(checkout, offer) ?? trial(checkout.trialDays)}${discount(checkout, offer)}${problemNote(attempt.problem)}
<label for="email">Email</label>
${emailInput(session.customer_email, attempt)}
<label for="name">Name or company <small>(optional)</small></label>
<input id="name" name="name" autocomplete="organization" maxlength="256" value="${attempt.name}">
${needsCard ? cardChoice(attempt.card) : null}
${session.allow_promotion_codes === true ? promotionField(path, attempt) : null}
<button>${pay}</button>
${needsCard ? html`<button class="second" formaction="${path}/decline" formnovalidate>Decline the card</button>` : null}
${session.cancel_url === null ? null : html`<a class="back" href="${session.cancel_url}">Back</a>`}
</form>`,
  );
}

/** Asks for the approval of the customer's bank. */
export function bankPage(checkout: Checkout, problem: string | null): string {
  const path = pathOf(checkout);
  const { amount_total: amount, currency } = checkout.session;
  return page(
    "Approve the payment",
    html`<form class="card" method="post" action="${path}/approve">
<h1>Bank approval</h1>
<p class="price">${money(amount, currency)}</p>
<p>Do you approve this payment? The subscription starts once you do.</p>${problemNote(problem)}
<button>Approve</button>
<button class="second" formaction="${path}/refuse">Refuse</button>
</form>`,
  );
}

/** The address to continue at after paying, with the session's id for `{CHECKOUT_SESSION_ID}`. */
export function successUrl({ session }: Checkout): string {
  return (session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}

function pathOf({ id }: Checkout): string {
  return `/sandbox/checkout/${id}`;
}

/** What a seller says of the charge, with the amount that is due today. */
function chargedLater({ session }: Checkout, { price }: Offer): Html | null {
  const message = session.custom_text?.submit?.message ?? null;
  if (message === null) return null;
  return html`<dl class="sums">
<div><dt>Due today</dt><dd><strong>${money(session.amount_total, price.currency)}</strong></dd></div>
</dl>
<p>${message}</p>`;
}

function trial(days: number): Html | null {
  return days === 0 ? null : html`<p>Free for the first ${String(days)} days.</p>`;
}

function discount({ session }: Checkout, { promotion, price }: Offer): Html | null {
  if (promotion === null) return null;
  const off = session.total_details.amount_discount;
  return html`<dl class="sums" role="status">
<div><dt>${promotion.promotion.code}: ${promotion.coupon.name ?? "discount"}</dt><dd>−${money(off, price.currency)}</dd></div>
<div><dt>Total now</dt><dd><strong>${money(session.amount_total, price.currency)}</strong></dd></div>
</dl>`;
}

function promotionField(path: string, { promotionCode }: Attempt): Html {
  return html`<label for="promotionCode">Promotion code <small>(optional)</small></label>
<div class="row"><input id="promotionCode" name="promotionCode" autocomplete="off" autocapitalize="characters" maxlength="100" value="${promotionCode}">
<button class="second" formaction="${path}/promotion" formnovalidate>Apply</button></div>`;
}

function emailInput(fixed: string | null, attempt: Attempt): Html {
  const value = fixed ?? attempt.email;
  const described = attempt.problem === null ? null : html` aria-describedby="problem"`;
  const readOnly = fixed === null ? null : html` readonly`;
  return html`<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${value}"${described}${readOnly}>`;
}
