import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type ChargingFacts, type ChargingStep, chargingStep } from "#libs/domain/charging.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { ENDED_STATUSES, plannedEnd } from "#libs/domain/subscription.ts";
import { enqueue } from "../../queue/enqueue.ts";

/** Subscriptions per page. */
const PAGE = 100;

/** Queues what a subscription needs at the processor, if anything; call it after each change of it or of its ad's review. */
export async function queueCharging(
  trx: Transaction<Tables>,
  subscriptionId: string,
  now: ProcessorTime,
): Promise<void> {
  const row = await findCharging(trx, subscriptionId).executeTakeFirst();
  if (row !== undefined && stepOf(row, now) !== null) {
    await enqueue(trx, "settle-charging", { subscriptionId });
  }
}

/** Queues what every live subscription needs, for jobs that were lost, and for what only time brings. */
export async function queueAllCharging(db: Kysely<Tables>, now: ProcessorTime): Promise<void> {
  let after = "";
  for (;;) {
    const page = await selectCharging(db)
      .where("subscriptions.status", "not in", ENDED_STATUSES)
      .where("subscriptions.id", ">", after)
      .where((where) =>
        where.or([
          where("subscriptions.awaits_approval", "=", true),
          sql<boolean>`ads.status is distinct from 'Approved'`,
        ]),
      )
      .orderBy("subscriptions.id")
      .limit(PAGE)
      .execute();
    for (const row of page) {
      if (stepOf(row, now) !== null) await enqueue(db, "settle-charging", { subscriptionId: row.id });
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

type ChargingRow = Awaited<ReturnType<ReturnType<typeof selectCharging>["execute"]>>[number];

function selectCharging(db: Kysely<Tables>) {
  return db
    .selectFrom("subscriptions")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .select([
      "subscriptions.id",
      "subscriptions.workspace_id",
      "subscriptions.provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.status",
      "subscriptions.charge_at",
      "subscriptions.awaits_approval",
      "subscriptions.trial_end",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.current_period_end",
      "prices.amount",
      "ads.status as ad_status",
    ]);
}

/** Selects the facts of one subscription. */
export function findCharging(db: Kysely<Tables>, subscriptionId: string) {
  return selectCharging(db).where("subscriptions.id", "=", subscriptionId);
}

/** The step that the facts ask for; null for none. */
export function stepOf(row: ChargingRow, now: ProcessorTime): ChargingStep | null {
  return chargingStep(chargingFacts(row), now);
}

/** The facts as the rules have them. */
export function chargingFacts(row: ChargingRow): ChargingFacts {
  return {
    status: row.status,
    chargeAt: row.charge_at,
    awaitsApproval: row.awaits_approval,
    trialEnd: row.trial_end?.getTime() ?? null,
    isCanceling:
      plannedEnd({
        cancelAtPeriodEnd: row.cancel_at_period_end,
        cancelAt: row.cancel_at,
        currentPeriodEnd: row.current_period_end,
      }) !== null,
    amount: row.amount,
    adStatus: row.ad_status,
  };
}
