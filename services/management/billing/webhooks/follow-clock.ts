import { refreshEnds } from "../../snapshots/refresh-windows.ts";
import { tellGraceEnds } from "../letters/grace.ts";
import { remindOfMissingAds } from "../letters/purchases.ts";
import type { Billing } from "../mirror.ts";
import { queueAllCharging } from "../subscriptions/charging-queries.ts";

/**
 * Does at once, after the processor's clock has moved on, what time alone brings and the schedule would do later: ends serving
 * windows, tells of ended graces, reminds of missing ads and queues charging. May be repeated.
 */
export async function followClock(billing: Billing): Promise<void> {
  await refreshEnds(billing);
  await tellGraceEnds(billing);
  await remindOfMissingAds(billing);
  await queueAllCharging(billing.db, billing.payments.moment(billing.now()).atProcessor);
}
