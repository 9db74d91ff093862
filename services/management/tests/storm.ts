import type { Stripe } from "stripe";
import { expect, vi } from "vitest";
import { revenue } from "#libs/contract/revenue.ts";
import { findRun, queueReconciliation } from "../billing/reconciliation/runs.ts";
import type { ManagementUnderTest } from "./management.ts";
import type { RecordedEvent } from "./recorded-events.ts";
import type { Publisher } from "./story.ts";
import { applied, deliver } from "./webhook-story.ts";

const CLIENTS = 8;
const DOUBLED = 0.25;
const LOST = 0.15;

/** Delivers recorded events to the service in any order, loses some and repeats some, until it is ended. */
export function startStorm(
  service: ManagementUnderTest,
  recorded: readonly RecordedEvent[],
  random: () => number,
) {
  const waiting: RecordedEvent[] = [];
  let taken = 0;
  let hasEnded = false;

  async function client(): Promise<string[]> {
    const delivered: string[] = [];
    while (waiting.length > 0 || !hasEnded) {
      const [event] = waiting.splice(Math.floor(random() * waiting.length), 1);
      if (event === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      } else if (random() >= LOST) {
        const { status } = await deliver(service, event);
        expect(status).toBe(200);
        delivered.push(event.id);
        if (random() < DOUBLED) waiting.push(event);
      }
    }
    return delivered;
  }
  const clients = Array.from({ length: CLIENTS }, client);
  const takeNew = () => {
    waiting.push(...recorded.slice(taken));
    taken = recorded.length;
  };
  return {
    /** Takes the events that have been recorded since the last time. */
    takeNew,
    /** Delivers what is left, waits until all of it is applied, and returns the ids of what was delivered. */
    async end(): Promise<ReadonlySet<string>> {
      takeNew();
      hasEnded = true;
      const delivered = new Set((await Promise.all(clients)).flat());
      await applied(service, ...delivered);
      return delivered;
    },
  };
}

/** Compares everything with the processor, and returns the report. */
export async function reconciled({ database }: Pick<ManagementUnderTest, "database">) {
  const runId = await queueReconciliation(database.db);
  return await vi.waitFor(
    async () => {
      const run = await findRun(database.db, runId);
      if (run?.report == null) throw new Error("the comparison has not finished");
      return run.report;
    },
    { timeout: 60_000, interval: 100 },
  );
}

const STATUSES: Readonly<Record<string, string>> = {
  active: "Active",
  trialing: "Trialing",
  canceled: "Canceled",
  past_due: "PastDue",
  unpaid: "Unpaid",
};

/** Our word on each subscription, as the processor lists it, by the processor's id. */
export async function statusesAtProcessor({ processor }: ManagementUnderTest): Promise<Map<string, string>> {
  const statuses = new Map<string, string>();
  for await (const subscription of processor.stripe.subscriptions.list({ status: "all" })) {
    statuses.set(subscription.id, statusOf(subscription));
  }
  return statuses;
}

function statusOf({ status, pause_collection, metadata }: Stripe.Subscription): string {
  const isPaused = pause_collection !== null && metadata.awaitsApproval === undefined;
  return isPaused && status !== "canceled" ? "Paused" : (STATUSES[status] ?? status);
}

/** What was paid and refunded in that many months, as the processor lists it and as the page of revenue shows it. */
export async function totals({ processor }: ManagementUnderTest, publisher: Publisher, months: number) {
  const { stripe } = processor;
  let gross = 0;
  for await (const invoice of stripe.invoices.list({ limit: 100 })) {
    if (invoice.status === "paid") gross += invoice.amount_paid;
  }
  let refunded = 0;
  for await (const refund of stripe.refunds.list({ limit: 100 })) refunded += refund.amount;
  const path = `${publisher.path}/revenue?months=${months}`;
  const { currencies } = await publisher.caller.ok(revenue, "GET", path);
  const { gross: shownGross, refunded: shownRefunded, net } = currencies[0]?.totals ?? {};
  return {
    atProcessor: { gross, refunded, net: gross - refunded },
    shown: { gross: shownGross, refunded: shownRefunded, net },
  };
}
