import { invalidRequest } from "./api-error.ts";
import type { Store } from "./record-shelf.ts";
import { type RecordKind, wholeList } from "./records.ts";

/** The fields that hold an id, or some, and can be had as the object instead. */
const EXPANDABLE: Readonly<Record<string, RecordKind>> = {
  charge: "charge",
  coupon: "coupon",
  customer: "customer",
  default_payment_method: "paymentMethod",
  discount: "discount",
  discounts: "discount",
  invoice: "invoice",
  latest_charge: "charge",
  latest_invoice: "invoice",
  payment_intent: "paymentIntent",
  payment_method: "paymentMethod",
  product: "product",
  promotion_code: "promotionCode",
  subscription: "subscription",
};

/** The collections that an object has only when they are asked for. */
const INCLUDABLE: Readonly<
  Record<string, { readonly kind: RecordKind; readonly by: string; readonly url: string }>
> = {
  "charge.refunds": { kind: "refund", by: "charge", url: "/v1/refunds" },
  "invoice.payments": { kind: "invoicePayment", by: "invoice", url: "/v1/invoice_payments" },
};
const MOST_INCLUDED = 10;
const DEEPEST = 4;

/** A copy of the answer in which the fields at the paths (`latest_invoice`, `data.customer`) hold objects, not ids. */
export function expandFields(records: Store, answer: object, paths: readonly string[]): object {
  const copy: object = structuredClone(answer);
  for (const path of paths) {
    const fields = path.split(".");
    if (fields.filter((field) => field !== "data").length > DEEPEST) {
      throw invalidRequest(
        `You cannot expand more than ${DEEPEST} levels of a property (${path}).`,
        "expand",
      );
    }
    expandField(records, copy, fields, path);
  }
  return copy;
}

function expandField(records: Store, at: object, path: readonly string[], whole: string): void {
  const [field = "", ...rest] = path;
  if (Array.isArray(at)) {
    for (const element of at) {
      if (typeof element === "object" && element !== null) expandField(records, element, path, whole);
    }
    return;
  }
  include(records, at, field);
  const value: unknown = Reflect.get(at, field);
  if (value === undefined) throw invalidRequest(`This property cannot be expanded (${whole}).`, "expand");
  const inner = objectOf(records, field, value, whole);
  Reflect.set(at, field, inner);
  if (rest.length > 0 && typeof inner === "object" && inner !== null)
    expandField(records, inner, rest, whole);
}

function objectOf(records: Store, field: string, value: unknown, whole: string): unknown {
  if (Array.isArray(value)) return value.map((element) => objectOf(records, field, element, whole));
  if (typeof value !== "string") return value;
  const kind = EXPANDABLE[field];
  if (kind === undefined) throw invalidRequest(`This property cannot be expanded (${whole}).`, "expand");
  return records.find(kind, value) ?? value;
}

function include(records: Store, at: object, field: string): void {
  const collection = INCLUDABLE[`${String(Reflect.get(at, "object"))}.${field}`];
  if (collection === undefined || field in at) return;
  const id = String(Reflect.get(at, "id"));
  const { kind, by, url } = collection;
  const found = records.list(kind, { where: { [by]: id }, limit: MOST_INCLUDED + 1 });
  const list = wholeList(`${url}?${by}=${id}`, found.slice(0, MOST_INCLUDED));
  Reflect.set(at, field, { ...list, has_more: found.length > MOST_INCLUDED });
}
