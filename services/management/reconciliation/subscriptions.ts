import type { ProviderSubscription } from "#libs/payments/index.ts";
import { auditedState, stateColumns } from "../checkout/subscription-state.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import type { Services } from "../services.ts";
import type { Findings } from "./findings.ts";
import { findKnown, listLive, PAGE } from "./queries.ts";

/**
 * Compares an account's live subscriptions, page by page: those that the processor has, whether we know them and as they
 * are, and those that we take for live and the processor no longer lists. A difference only makes us look again: what a
 * list said a moment ago is never written.
 */
export async function compareSubscriptions(
  services: Services,
  account: string | null,
  findings: Findings,
): Promise<void> {
  const begun = new Date(services.now());
  const agreeing = new Set<string>();
  for await (const page of inPages(services.payments.listSubscriptions(account))) {
    findings.countSubscriptions(page.length);
    const known = await findKnown(
      services.db,
      page.map(({ id }) => id),
    );
    for (const provider of page) {
      const ours = known.get(provider.id);
      if (ours === undefined && !namesOurSale(provider)) continue;
      if (ours !== undefined && isAlike(ours, provider)) agreeing.add(provider.id);
      else await lookAgain(services, provider.id, account, findings);
    }
  }
  await compareUnlisted(services, account, begun, agreeing, findings);
}

/** What is live here and was not found alike: ended at the processor, most likely. */
async function compareUnlisted(
  services: Services,
  account: string | null,
  begun: Date,
  agreeing: ReadonlySet<string>,
  findings: Findings,
): Promise<void> {
  let after = "";
  for (;;) {
    const page = await listLive(services.db, account, begun, after);
    for (const { provider_subscription_id: id } of page) {
      if (!agreeing.has(id)) await lookAgain(services, id, account, findings);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

async function lookAgain(
  services: Services,
  id: string,
  account: string | null,
  findings: Findings,
): Promise<void> {
  await findings.attempt(id, async () => {
    const { subscriptionId, changed } = await syncSubscription(services, id, account);
    if (changed && subscriptionId !== null) findings.addRepair("subscription", subscriptionId);
  });
}

function namesOurSale({ metadata }: ProviderSubscription): boolean {
  return metadata.workspaceId !== undefined && metadata.tierPriceId !== undefined;
}

function isAlike(ours: Parameters<typeof auditedState>[0], provider: ProviderSubscription): boolean {
  return JSON.stringify(auditedState(ours)) === JSON.stringify(auditedState(stateColumns(provider)));
}

async function* inPages<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
