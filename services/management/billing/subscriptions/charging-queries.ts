import { type ExpressionBuilder, type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type ChargingFacts, type ChargingStep, chargesNoMore, chargingStep } from "#libs/domain/charging.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { ENDED_STATUSES, OVERDUE_STATUSES } from "#libs/domain/subscription.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { graceEndOf } from "../../snapshots/publish.ts";
import { subscriptionColumns } from "./columns.ts";

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
    await enqueue(trx, "settle-charging", { subscriptionId, workspaceId: row.workspace_id });
  }
}

/** Queues what every subscription needs, for jobs that were lost and for what only time brings. */
export async function queueAllCharging(db: Kysely<Tables>, now: ProcessorTime): Promise<void> {
  let after = "";
  for (;;) {
    const page = await selectCharging(db)
      .where("subscriptions.id", ">", after)
      .where((where) =>
        where.or([
          where.and([
            where("subscriptions.status", "in", ENDED_STATUSES),
            where("subscriptions.cleared_at", "is", null),
          ]),
          where.and([
            where("subscriptions.status", "not in", ENDED_STATUSES),
            where.or([
              where("subscriptions.awaits_approval", "=", true),
              where("subscriptions.is_period_void", "=", true),
              where("subscriptions.stop_reason", "is not", null),
              where("subscriptions.status", "in", [...OVERDUE_STATUSES, "Paused"]),
              owesEarlier(where),
              sql<boolean>`${adStatusOf(where)} is distinct from 'Approved'`,
            ]),
          ]),
        ]),
      )
      .orderBy("subscriptions.id")
      .limit(PAGE)
      .execute();
    for (const row of page) {
      if (stepOf(row, now) === null) continue;
      const { id: subscriptionId, workspace_id: workspaceId } = row;
      // Keeps the time of a job that waits longer than until the next call, which would otherwise postpone it for ever.
      await enqueue(db, "settle-charging", { subscriptionId, workspaceId }, { keepsRunAt: true });
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Queues what a subscription needs at the processor after a change of one of its invoices. An ended one settles all its invoices again. */
export async function queueForInvoice(
  db: Kysely<Tables>,
  processorSubscriptionId: string,
  now: ProcessorTime,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const billed = await trx
      .selectFrom("subscriptions")
      .where("provider_subscription_id", "=", processorSubscriptionId)
      .select("id")
      .executeTakeFirst();
    if (billed === undefined) return;
    await trx
      .updateTable("subscriptions")
      .set({ cleared_at: null })
      .where("id", "=", billed.id)
      .where("status", "in", ENDED_STATUSES)
      .execute();
    await queueCharging(trx, billed.id, now);
  });
}

/** Whether the charge of a period before the current one has failed and can still be paid. */
function owesEarlier(where: ExpressionBuilder<Tables, "subscriptions">) {
  return where.exists(
    where
      .selectFrom("invoices")
      .whereRef("invoices.workspace_id", "=", "subscriptions.workspace_id")
      .whereRef("invoices.subscription_id", "=", "subscriptions.id")
      .where("invoices.status", "=", "open")
      .where("invoices.renewal_failed_at", "is not", null)
      .whereRef("invoices.period_end", "<=", "subscriptions.current_period_start")
      .select("invoices.id"),
  );
}

/** Not a join: of each page Postgres would begin to read the ads of the installation from the first on. */
function adStatusOf(of: ExpressionBuilder<Tables, "subscriptions">) {
  return of
    .selectFrom("ads")
    .whereRef("ads.workspace_id", "=", "subscriptions.workspace_id")
    .whereRef("ads.subscription_id", "=", "subscriptions.id")
    .select("ads.status");
}

export type ChargingRow = Awaited<ReturnType<ReturnType<typeof selectCharging>["execute"]>>[number];

function selectCharging(db: Kysely<Tables>) {
  return db
    .selectFrom("subscriptions")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .select([
      "subscriptions.id",
      "subscriptions.workspace_id",
      "subscriptions.provider_subscription_id",
      "subscriptions.provider_account",
      "subscriptions.status",
      "subscriptions.status as subscription_status",
      "subscriptions.renewal_failed_at",
      "subscriptions.owed_invoice",
      "subscriptions.is_period_void",
      "subscriptions.is_collected",
      (select) => owesEarlier(select).$castTo<boolean>().as("owes_earlier"),
      "subscriptions.free_until",
      "subscriptions.stop_reason",
      "subscriptions.stopped_at",
      "subscriptions.stop_bill",
      "subscriptions.cleared_at",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
      "subscriptions.charge_at",
      "subscriptions.awaits_approval",
      "subscriptions.trial_end",
      "subscriptions.cancel_at_period_end",
      "subscriptions.cancel_at",
      "subscriptions.current_period_end",
      "prices.amount",
      (select) => adStatusOf(select).as("ad_status"),
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

/** The facts as the processor has them now. */
export function factsAtProcessor(row: ChargingRow, current: ProcessorSubscription): ChargingFacts {
  return {
    ...chargingFacts({
      ...row,
      ...subscriptionColumns(current, row.free_until),
      subscription_status: current.status,
    }),
    chargeAt: current.chargeAt,
  };
}

function chargingFacts(row: ChargingRow): ChargingFacts {
  return {
    status: row.status,
    chargeAt: row.charge_at,
    awaitsApproval: row.awaits_approval,
    trialEnd: row.trial_end?.getTime() ?? null,
    isCanceling: chargesNoMore({
      status: row.status,
      chargeAt: row.charge_at,
      awaitsApproval: row.awaits_approval,
      cancelAtPeriodEnd: row.cancel_at_period_end,
      cancelAt: row.cancel_at?.getTime() ?? null,
      currentPeriodEnd: row.current_period_end?.getTime() ?? null,
    }),
    amount: row.amount,
    adStatus: row.ad_status,
    graceEndsAt: graceEndOf(row),
    isPeriodVoid: row.is_period_void,
    isCollected: row.is_collected,
    owesEarlier: row.owes_earlier,
    isCleared: row.cleared_at !== null,
    stop:
      row.stop_reason === null || row.stop_bill === null
        ? null
        : { reason: row.stop_reason, bill: row.stop_bill },
  };
}
