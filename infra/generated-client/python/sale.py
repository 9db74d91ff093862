"""A whole sale with nothing but a client that was generated from the interface description.

Usage: sale.py ORIGIN, beside the folder placard_client. Ends with a sentence and 1 at the first answer that is not what the
description says. A status that the description does not name, and a body that its types do not take, raise.
"""

import sys
import time

import httpx

import placard_client.models as m
from placard_client import AuthenticatedClient, Client
from placard_client.api.ads import ads_approve, ads_get, ads_list, ads_stats
from placard_client.api.api_keys import api_keys_create
from placard_client.api.checkout import checkout_create, checkout_get, checkout_submit
from placard_client.api.fields import fields_create, fields_list
from placard_client.api.invoices import invoices_list, invoices_refund
from placard_client.api.serving import serving_ads, serving_tiers
from placard_client.api.tiers import tiers_create
from placard_client.api.tracking import serving_click, serving_impression
from placard_client.api.workspaces import workspaces_create
from placard_client.types import UNSET

(ORIGIN,) = sys.argv[1:]
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PERSON = {"name": "Sam Example", "email": "sam@example.com", "password": "correct horse battery"}
PATIENCE_S = 30


def expect(answer, kind):
    """The answer, if it is of the class that the description promises for a success."""
    if not isinstance(answer, kind):
        raise SystemExit(f"{kind.__name__} was expected, and this came: {answer}")
    return answer


def until(what, read):
    """The first answer of `read` that is not empty; what it reads arrives a moment after its cause."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if answer := read():
            return answer
        time.sleep(0.1)
    raise SystemExit(f"{what} did not come")


def same(what, is_now, should_be):
    if is_now != should_be:
        raise SystemExit(f"{what} is {is_now!r} instead of {should_be!r}")


def sign_in():
    """A person's session, as the introduction says how to get one."""
    httpx.post(f"{ORIGIN}/api/auth/sign-up/email", json=PERSON).raise_for_status()
    answer = httpx.post(f"{ORIGIN}/api/auth/sign-in/email", json=PERSON)
    answer.raise_for_status()
    cookies = "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
    return AuthenticatedClient(
        base_url=f"{ORIGIN}/v1", token=cookies, prefix="", auth_header_name="Cookie", raise_on_unexpected_status=True
    )


def a_field(kind, **values):
    return expect(fields_create.sync(ws, client=key, body=kind(**values)), m.Field)


# A site: by a person, then by a key of hers.
person = sign_in()
ws = expect(workspaces_create.sync(client=person, body=m.WorkspacesCreateBody(name="Example Weekly")), m.Workspace).id
made = expect(api_keys_create.sync(ws, client=person, body=m.NewKey(name="Sale")), m.CreatedKey)
key = AuthenticatedClient(base_url=f"{ORIGIN}/v1", token=made.key, raise_on_unexpected_status=True)
anybody = Client(base_url=f"{ORIGIN}/v1", headers={"User-Agent": BROWSER}, raise_on_unexpected_status=True)

tier = expect(
    tiers_create.sync(
        ws,
        client=key,
        idempotency_key="the-only-tier",
        body=m.TiersCreateBody(
            name="Sidebar",
            weight=2,
            initial_prices=[
                m.NewPrice(
                    amount=4900, interval_count=1, currency=m.Currency.EUR
                )
            ],
        ),
    ),
    m.Tier,
)
fields = [
    a_field(m.NewTextField, name="Tagline", type_=m.NewTextFieldType.TEXT, is_required=True, max_length=60),
    a_field(m.NewNumberField, name="Price", type_=m.NewNumberFieldType.NUMBER, min_=0),
    a_field(m.NewSwitchField, name="New", type_=m.NewSwitchFieldType.SWITCH),
    a_field(m.NewSelectField, name="Mood", type_=m.NewSelectFieldType.SELECT, options=["Calm", "Loud"]),
    a_field(m.NewDateField, name="Since", type_=m.NewDateFieldType.DATE),
]
same("the fields", [f.id for f in expect(fields_list.sync(ws, client=key), m.FieldsListAnswer).items], [f.id for f in fields])

# A purchase, without a key.
on_sale = expect(serving_tiers.sync(ws, client=anybody), m.ServingTiersAnswer).tiers
same("what is on sale", [t.name for t in on_sale], ["Sidebar"])
session = expect(
    checkout_create.sync(
        ws,
        client=anybody,
        body=m.CheckoutCreateBody(tier_price_id=tier.prices[0].id, email="ads@coffee.example"),
    ),
    m.CheckoutCreateAnswer,
)
httpx.post(
    f"{ORIGIN}/sandbox/checkout/{session.session_id}/complete", json={"email": "ads@coffee.example"}
).raise_for_status()
paid = expect(checkout_get.sync(session.session_id, client=anybody), m.CheckoutGetAnswer)
same("the session", paid.status, m.CheckoutGetAnswerStatus.COMPLETE)

# The ad: refused where a rule of a field is broken, then taken.
VALUES = {"Tagline": "Fresh coffee", "Price": 4.5, "New": True, "Mood": "Calm", "Since": "2026-01-31"}


def submission(values):
    return m.CheckoutSubmitBody(
        name="Example Coffee",
        website_url="https://coffee.example",
        meta=[m.SubmittedValue(field_id=f.id, value=values.get(f.name)) for f in paid.fields],
    )


refusal = checkout_submit.sync(session.session_id, client=anybody, body=submission({**VALUES, "Tagline": "x" * 61}))
same("the cause of the refusal", expect(refusal, m.FieldError).data.reason, "INVALID_FIELD_VALUE")
same("the field of the refusal", refusal.data.field_errors.additional_keys, ["meta.tagline"])
expect(
    checkout_submit.sync(session.session_id, client=anybody, body=submission(VALUES)), m.SubmittedAd
)
waiting = expect(ads_list.sync(ws, client=key, status=m.AdStatus.PENDING), m.AdsListAnswer).items
seen = expect(ads_get.sync(ws, waiting[0].id, client=key), m.Ad)

# The decision is about what was seen, by the body or by the header.
stale = ads_approve.sync(ws, seen.id, client=key, body=m.ApproveBody(version=seen.version + 1))
same("the cause of the conflict", expect(stale, m.FieldError).data.reason, "SUBMITTED_SINCE")
same("the version in the conflict", stale.data.version, seen.version)


def approve_as_seen():
    """The approved ad; None where it has changed since it was read, as it does when its payment is told of."""
    etag = ads_get.sync_detailed(ws, seen.id, client=key).headers["etag"]
    answer = ads_approve.sync(ws, seen.id, client=key, if_match=etag)
    return None if getattr(answer, "status", None) == 412 else expect(answer, m.Ad)


approved = until("an approval of what was seen", approve_as_seen)
same("the status", approved.status, m.AdStatus.APPROVED)


def served(**narrowed):
    return expect(serving_ads.sync(ws, client=anybody, **narrowed), m.ServingAdsAnswer).ads


# On the page, narrowed by a list of two.
ad = until("the ad on the page", lambda: served(tier_id=[tier.id, "tier_other"], count=3))[0]
same("the values on the page", ad.meta.additional_properties["tagline"], "Fresh coffee")
same("the page without the ad", served(exclude_ids=[ad.id, "ad_other"]), [])
expect(serving_impression.sync(ad.id, client=anybody), m.Acknowledgement)
expect(serving_click.sync(ad.id, client=anybody), m.Acknowledgement)


def counted():
    totals = expect(ads_stats.sync(ws, ad.id, client=key, days=7), m.AdStats).totals
    return (totals.impressions, totals.clicks) == (1, 1)


until("the impression and the click in the stats", counted)

# The money, back in two parts.
invoice = until(
    "the paid invoice",
    lambda: expect(
        invoices_list.sync(ws, client=key, status=m.InvoiceStatus.PAID), m.InvoicesListAnswer
    ).items,
)[0]
part = expect(
    invoices_refund.sync(ws, invoice.id, client=key, idempotency_key="a-part", body=m.InvoicesRefundBody(amount=900)),
    m.Invoice,
)
same("what was refunded", part.amount_refunded, 900)
whole = expect(invoices_refund.sync(ws, invoice.id, client=key, body=UNSET), m.Invoice)
same("what was refunded in all", (whole.amount_refunded, whole.amount_paid), (4900, 4900))
again = expect(invoices_refund.sync(ws, invoice.id, client=key), m.FieldError)
same("the cause of the last refusal", again.data.reason, "NOTHING_TO_REFUND")

print("A tier was made, sold, approved, shown, counted and refunded with the client in Python.")
