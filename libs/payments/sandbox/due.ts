import type { RecordKind, Records } from "./records.ts";

const LIVE = ["active", "trialing", "past_due"];
/** How long an expired session can still be read, in seconds. */
const EXPIRED_KEPT = 30 * 86_400;

type DueRules = { readonly [K in RecordKind]?: (record: Records[K]) => number | null };

const DUE: DueRules = {
  checkout: ({ session }) => {
    if (session.status === "open") return session.expires_at;
    return session.status === "expired" ? session.expires_at + EXPIRED_KEPT : null;
  },
  subscription: ({ status, items }) =>
    LIVE.includes(status) ? (items.data[0]?.current_period_end ?? null) : null,
};

/** When time itself changes the record next, in seconds; null when it never does. */
export function dueAt<K extends RecordKind>(kind: K, record: Records[K]): number | null {
  return DUE[kind]?.(record) ?? null;
}
