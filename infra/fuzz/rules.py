"""Rules for valid requests that JSON Schema cannot express.

Loaded by Schemathesis. Just before a request is sent, one that was generated as valid is made to keep the rules that tie
several values together; one that was generated as invalid is left alone. Nothing here turns a check off.
"""

import datetime
import itertools
import json
import os
import re
import uuid

import schemathesis
from schemathesis.openapi.checks import EnsureResourceAvailability, UseAfterFree

with open(os.environ["FUZZ_STORY"], encoding="utf-8") as story:
    # The fields that the submitted ad fills, by type: `{"Text": {"id": …}, …}`.
    FIELDS = json.load(story)["fields"]

VISITORS = itertools.count(1)
SPACES = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
HOSTS = ["example.com", "SHOP.example.com.", "example.com:8080", "192.0.2.7", "[2001:db8::1]:8443", "münchen.example"]
LONGEST_URL = 2048
LONGEST_TEXT = {"Text": 500, "Textarea": 10_000}
# A valid value per type, for types whose generated values are rarely valid.
VALUES = {
    "Select": "Red",
    "Url": "https://example.com/page",
    "Image": "https://example.com/logo.png",
    "Email": "ads@example.com",
    "Date": "2026-11-21",
    "Color": "#c0ffee",
}
unknown = set(FIELDS) - set(VALUES) - {"Text", "Textarea", "Number", "Switch"}
if unknown:
    raise LookupError(f"VALUES in infra/fuzz/rules.py has no value for the field types {sorted(unknown)}")


@schemathesis.hook
def before_call(context, case, kwargs):
    come_from_elsewhere(case.headers)
    use_key_once(case.headers)
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if "If-Match" in case.headers:
        # A generated tag names no state that anything is in: it would rightly be refused.
        case.headers["If-Match"] = "*"
    rule = RULES.get(case.operation.definition.raw.get("operationId"))
    if isinstance(case.body, dict):
        for name, value in case.body.items():
            if name.endswith("Url") and isinstance(value, str) and re.match("https?://", value, re.IGNORECASE):
                case.body[name] = name_real_host(value)
        if rule is not None:
            rule(case.body)
        return
    # Only an earlier page gives a cursor.
    if isinstance(case.query, dict):
        case.query.pop("after", None)
    if rule is not None:
        rule(case.query)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a finding is real. Some kinds are documented behaviour that the tool cannot know."""
    # A tier or a price that is deleted is archived: it stays to be seen.
    is_archived = re.search(r"/tiers/[^/]+(/prices/[^/]+)?$", getattr(failure, "free", "")) is not None
    if isinstance(failure, UseAfterFree) and is_archived:
        return False
    # The tool cannot know the password, or the name, that has to be given again before something is deleted.
    if case.operation.definition.raw.get("operationId") in ("account.delete", "workspaces.delete") and response.status_code == 422:
        return False
    # The parser refuses an address of over 16 kB before any operation is known, as the introduction says.
    if response.status_code == 431:
        return False
    # What is not found here is what the generated body names, not the workspace of the path that was just made.
    names_others = case.operation.definition.raw.get("operationId") in ("checkout.create", "fields.reorder")
    return not (isinstance(failure, EnsureResourceAvailability) and names_others)


def come_from_elsewhere(headers):
    """Each request is another visitor's, so that the limits of one address refuse none. The product trusts us as a proxy."""
    number = next(VISITORS)
    headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def use_key_once(headers):
    """A key belongs to one request: with another one it would rightly be refused."""
    key = headers.get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch(r"[!-~]{1,255}", key):
        headers["Idempotency-Key"] = f"{key[:200]}-{uuid.uuid4()}"


def name_real_host(url):
    """An address whose host can be one, with the path that was generated."""
    scheme, authority, rest = re.fullmatch(r"(https?:)[/\\]*([^/\\?#]*)(.*)", url, re.IGNORECASE | re.DOTALL).groups()
    return f"{scheme}//{HOSTS[len(authority) % len(HOSTS)]}{rest}"[:LONGEST_URL]


def fit_field(field):
    """Bounds in their order, and a default that the field itself would take."""
    if isinstance(field.get("min"), (int, float)) and isinstance(field.get("max"), (int, float)):
        field["min"], field["max"] = sorted((field["min"], field["max"]))
    image = field.get("image")
    if isinstance(image, dict):
        fit_image(image)
    default = field.get("default", "")
    if default != "":
        field["default"] = fit_default(field, default)


def fit_image(image):
    """No minimum above the recommended size, and no ratio but that size's own."""
    for least, recommended in (("minWidth", "width"), ("minHeight", "height")):
        if image.get(least) is not None and image.get(recommended) is not None:
            image[least] = min(image[least], image[recommended])
    if image.get("width") is not None and image.get("height") is not None and image.get("ratio") is not None:
        image.pop("ratio")


def fit_default(field, default):
    kind = field["type"]
    if kind in LONGEST_TEXT:
        # 12.0 is a whole number in JSON Schema too.
        longest = int(field.get("maxLength") or LONGEST_TEXT[kind])
        return default.replace("\r\n", "\n").replace("\r", "\n").strip(SPACES)[:longest]
    if kind in ("Url", "Image"):
        return name_real_host(default.strip(SPACES))
    if kind == "Email":
        return default if len(default.strip(SPACES)) <= 254 else ""
    if kind == "Select":
        return field["options"][len(default) % len(field["options"])]
    if kind == "Date":
        return default if is_day(default.strip(SPACES)) else "2026-11-21"
    if kind == "Number":
        lowest, highest = field.get("min"), field.get("max")
        too_low = lowest is not None and float(default) < lowest
        too_high = highest is not None and float(default) > highest
        return "" if too_low or too_high else default
    return default


def is_day(text):
    try:
        return bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def fit_change_of_field(body):
    """The result of a change depends on the field before it, so a change of one part here sets all parts that it must fit."""
    parts = ("type", "default", "options", "maxLength", "min", "max", "image")
    if not any(part in body for part in parts):
        return
    kind = body.setdefault("type", "Text")
    options = list(dict.fromkeys(text.strip(SPACES)[:200] for text in body.get("options", []) if text.isprintable()))
    body["options"] = ([text for text in options if text][:100] or ["One"]) if kind == "Select" else []
    longest = body.get("maxLength")
    body["maxLength"] = None if kind not in LONGEST_TEXT or longest is None else min(longest, LONGEST_TEXT[kind])
    for bound in ("min", "max"):
        body[bound] = body.get(bound) if kind == "Number" else None
    body["image"] = body.get("image") if kind == "Image" else None
    if kind in LONGEST_TEXT:
        body["default"] = " ".join(body.get("default", "").split())
    else:
        body["default"] = {"Number": "7", "Switch": "true", "Date": "2026-11-21", "Color": "#fff"}.get(kind, "")
    fit_field(body)


def mention_once(body):
    """A field moves to one place."""
    body["fields"] = list({move["id"]: move for move in body["fields"]}.values())


def fill_in_fields(body):
    """Values for the fields that the workspace asks for, of their types, each once."""
    if "meta" not in body:
        return
    fitting = zip(FIELDS.items(), body["meta"])
    body["meta"] = [{"fieldId": field["id"], "value": fit_value(kind, given)} for (kind, field), given in fitting]


def fit_value(kind, given):
    value = given.get("value")
    if value is None:
        return None
    if kind in LONGEST_TEXT:
        return value[:500] if isinstance(value, str) and value.isprintable() else "Roasted this morning"
    if kind == "Number":
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 10 else 7
    if kind == "Switch":
        return bool(value)
    return VALUES[kind]


def name_no_field(body):
    """The workspace has no field of the publisher's own, and takes no values for others."""
    body["meta"] = []


def refund_what_is_left(body):
    """How much is left depends on the refunds before."""
    body.pop("amount", None)


def show_no_logo(body):
    """A logo is an image that was uploaded before: only its upload gives an address that is taken."""
    if isinstance(body.get("mediaKit"), dict) and "logoUrl" in body["mediaKit"]:
        body["mediaKit"]["logoUrl"] = None


def fit_settings(body):
    """Few texts are the name of a time zone."""
    show_no_logo(body)
    if body.get("timeZone") is not None:
        body["timeZone"] = "Europe/Berlin"


def report_on_november(query):
    """The pattern of a date lets pass days that are not there, and periods that are too long."""
    if "from" in query or "to" in query:
        query["from"], query["to"] = "2026-11-01", "2026-11-30"
    if "timeZone" in query:
        query["timeZone"] = "Europe/Berlin"


def correct_two_days(body):
    """As in a report: the last day is one that is there, and not before the first."""
    if "from" in body and "to" in body:
        body["from"], body["to"] = "2026-11-20", "2026-11-21"


def order_months(query):
    """A span of time begins before it ends."""
    if "from" in query and "to" in query:
        query["from"], query["to"] = sorted((query["from"][:7], query["to"][:7]))
    # Not every month has the days that the pattern lets pass.
    for end in ("from", "to"):
        if end in query and query[end][8:] in ("29", "30", "31"):
            query[end] = query[end][:7]


def by_cursor(query):
    """Values come by cursor."""
    if query.get("include") == "meta":
        query.pop("page", None)
        query.pop("sort", None)


RULES = {
    "ads.update": name_no_field,
    "invoices.refund": refund_what_is_left,
    "fields.create": fit_field,
    "fields.update": fit_change_of_field,
    "fields.reorder": mention_once,
    "checkout.submit": fill_in_fields,
    "settings.update": fit_settings,
    "invoices.export": order_months,
    "invoices.list": order_months,
    "invoices.refunds": order_months,
    "invoices.exportRefunds": order_months,
    "ads.list": by_cursor,
    "corrections.create": correct_two_days,
    "reports.get": report_on_november,
    "reports.export": report_on_november,
}
