import { invalidRequest } from "./api-error.ts";
import type { RecordKind } from "./records.ts";
import type { State } from "./state.ts";

/** The fields that hold an id and can be had as the object instead. */
const EXPANDABLE: Readonly<Record<string, RecordKind>> = {
  customer: "customer",
  invoice: "invoice",
  latest_invoice: "invoice",
  product: "product",
  subscription: "subscription",
};

/** A copy of the answer in which the fields at the paths (`latest_invoice`, `data.customer`) hold objects, not ids. */
export function expandFields(state: State, answer: object, paths: readonly string[]): object {
  const copy: object = structuredClone(answer);
  for (const path of paths) expandField(state, copy, path.split("."), path);
  return copy;
}

function expandField(state: State, at: object, path: readonly string[], whole: string): void {
  const [field = "", ...rest] = path;
  const value: unknown = Reflect.get(at, field);
  if (Array.isArray(value)) {
    for (const element of value) expandField(state, element, rest, whole);
    return;
  }
  const kind = EXPANDABLE[field];
  if (typeof value === "string" && kind !== undefined) {
    const object = state.find(kind, value);
    if (object !== undefined) Reflect.set(at, field, object);
  } else if (value === undefined || typeof value !== "object") {
    throw invalidRequest(`This property cannot be expanded (${whole}).`, "expand");
  }
  const inner: unknown = Reflect.get(at, field);
  if (rest.length > 0 && typeof inner === "object" && inner !== null) expandField(state, inner, rest, whole);
}
