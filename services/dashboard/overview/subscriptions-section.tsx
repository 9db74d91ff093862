import { Skeleton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { SubscriptionTotals } from "#libs/domain/subscription-totals.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import type { Days } from "../components/days.tsx";
import { Figure, Figures } from "../components/figures.tsx";
import { formatCounted, formatMoney, formatPercent } from "../components/format.ts";
import { Section } from "../components/section.tsx";

/** What subscriptions bring in a month, which are new, which have lapsed, and what renews next. */
export function SubscriptionsSection({ days }: { readonly days: Days }) {
  const { id: workspaceId } = useWorkspace();
  const totals = useQuery(
    query.subscriptions.totals.queryOptions({
      input: { workspaceId, days },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <Section title="Subscriptions">
      {totals.isError ? (
        <Text size="sm">These figures can’t be shown right now.</Text>
      ) : totals.data === undefined ? (
        <Skeleton h={64} />
      ) : (
        totals.data.currencies.map((one) => <OfCurrency key={one.currency} days={days} totals={one} />)
      )}
    </Section>
  );
}

/** Currencies are never added up: each has figures of its own. */
function OfCurrency({
  days,
  totals: { currency, serving, begun, lapsed, churnRate, renewals },
}: {
  readonly days: Days;
  readonly totals: SubscriptionTotals;
}) {
  const counted = ({ subscriptions }: { readonly subscriptions: number }) =>
    formatCounted(subscriptions, "subscription");
  return (
    <Figures cols={{ base: 2, lg: 4 }}>
      <Figure
        name="Monthly recurring revenue"
        value={formatMoney(serving.monthlyAmount, currency)}
        hint={counted(serving)}
      />
      <Figure
        name={`New in ${days} days`}
        value={formatMoney(begun.monthlyAmount, currency)}
        hint={counted(begun)}
      />
      <Figure
        name={`Lost in ${days} days`}
        value={formatMoney(lapsed.monthlyAmount, currency)}
        hint={churnRate === null ? counted(lapsed) : `${counted(lapsed)}, ${formatPercent(churnRate)} churn`}
      />
      <Figure
        name={`Next renewals, within ${days} days`}
        value={formatMoney(renewals.amount, currency)}
        hint={counted(renewals)}
      />
    </Figures>
  );
}
