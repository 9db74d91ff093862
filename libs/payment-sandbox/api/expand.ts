import { invalidRequest } from "../engine/api-error.ts";
import type { RecordKind } from "../engine/record-kinds.ts";
import type { AccountStore } from "../engine/store.ts";

/** The fields that hold an id, or several, and the kind of object to put in their place. */
const EXPANDABLE: Readonly<Record<string, RecordKind>> = {
  customer: "customer",
  discounts: "discount",
  invoice: "invoice",
  latest_charge: "charge",
  latest_invoice: "invoice",
  payment_intent: "paymentIntent",
  promotion_code: "promotionCode",
  subscription: "subscription",
};

/** A copy of the answer with objects for the ids at the paths (`latest_invoice`, `data.customer`). */
export function expandFields(records: AccountStore, answer: object, paths: readonly string[]): object {
  const copy: object = structuredClone(answer);
  for (const path of paths) expandField(records, copy, path.split("."), path);
  return copy;
}

function expandField(records: AccountStore, at: object, path: readonly string[], whole: string): void {
  const [field = "", ...rest] = path;
  if (Array.isArray(at)) {
    for (const element of at) {
      if (typeof element === "object" && element !== null) expandField(records, element, path, whole);
    }
    return;
  }
  const value: unknown = Reflect.get(at, field);
  if (value === undefined) throw invalidRequest(`This property cannot be expanded (${whole}).`, "expand");
  const inner = objectOf(records, field, value, whole);
  Reflect.set(at, field, inner);
  if (rest.length > 0 && typeof inner === "object" && inner !== null) {
    expandField(records, inner, rest, whole);
  }
}

function objectOf(records: AccountStore, field: string, value: unknown, whole: string): unknown {
  if (Array.isArray(value)) return value.map((element) => objectOf(records, field, element, whole));
  if (typeof value !== "string") return value;
  const kind = EXPANDABLE[field];
  if (kind === undefined) throw invalidRequest(`This property cannot be expanded (${whole}).`, "expand");
  return records.find(kind, value) ?? value;
}
