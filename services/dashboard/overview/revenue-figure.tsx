import { Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { query } from "../shell/client.ts";
import type { Days } from "../shell/days.tsx";
import { formatMoney } from "../shell/format.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { Figure } from "./figure.tsx";

/** What came in, less what went back, in the workspace's currency; other currencies below, for they are never added up. */
export function RevenueFigure({ days }: { readonly days: Days }) {
  const { id: workspaceId } = useWorkspace();
  const revenue = useQuery(
    query.invoices.revenueByDay.queryOptions({
      input: { workspaceId, days },
      placeholderData: keepPreviousData,
    }),
  );
  if (revenue.data === undefined) {
    return <Figure label="Revenue" value={revenue.isError ? "–" : <Skeleton h={30} my={2} />} />;
  }
  const [own, ...others] = revenue.data.currencies.map(({ currency, totals }) =>
    formatMoney(totals.net, currency),
  );
  return (
    <Figure
      label="Revenue"
      value={own ?? "–"}
      {...(others.length === 0 ? {} : { note: `and ${others.join(", ")}` })}
    />
  );
}
