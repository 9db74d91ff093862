import type { Selectable } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Payments } from "#libs/payments/index.ts";

type Closing = Pick<Selectable<Tables["workspaces"]>, "closed_at" | "erasing_since">;

/**
 * When the deletion of a workspace began, on the payment processor's clock, in milliseconds since the epoch; undefined for a workspace
 * that is not being deleted. The job of the deletion records it, as the clock of the sandbox may be moved.
 */
export function closingOf(
  payments: Pick<Payments, "moment">,
  { closed_at: recorded, erasing_since: since }: Closing,
): number | undefined {
  if (recorded !== null) return recorded.getTime();
  return since === null ? undefined : payments.moment(since.getTime()).atProcessor;
}
