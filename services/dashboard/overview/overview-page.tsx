import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { query } from "../api/client.ts";
import { purchasesQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { AwaitedPurchases } from "../components/awaited-purchases.tsx";
import { DaysSwitch } from "../components/days.tsx";
import { DroppedEmailsNotice } from "../components/dropped-emails.tsx";
import { NeverRan } from "../components/never-ran.tsx";
import { Page } from "../components/page.tsx";
import { QueryView } from "../components/states.tsx";
import { Performance } from "./performance.tsx";

/** Seen until the first ad, so what it needs is loaded only then. */
const Steps = lazy(async () => ({ default: (await import("./getting-started.tsx")).GettingStarted }));

/** The workspace's stats and revenue; before the first sale, the steps that lead to it. */
export function OverviewPage() {
  const { days = 30 } = useSearch({ from: "/signed-in/w/$workspaceId/overview" });
  const navigate = useNavigate({ from: "/w/$workspaceId/overview" });
  const { id: workspaceId, site } = useWorkspace();
  const purchases = useQuery(purchasesQuery(workspaceId));
  const ads = useQuery(query.ads.list.queryOptions({ input: { workspaceId, perPage: 1 } }));
  const isEmpty = purchases.data?.total === 0;

  return (
    <Page
      title="Overview"
      actions={
        isEmpty ? null : (
          <DaysSwitch
            value={days}
            onChange={(chosen) => void navigate({ search: { days: chosen }, replace: true })}
          />
        )
      }
    >
      <QueryView query={purchases}>
        {({ total }) =>
          total === 0 ? (
            <GettingStarted title="No sales yet" />
          ) : (
            <>
              <DroppedEmailsNotice isBrief />
              <NeverRan />
              <AwaitedPurchases />
              {ads.data?.total === 0 && site === null ? <GettingStarted title="Finish setting up" /> : null}
              <Performance days={days} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function GettingStarted({ title }: { readonly title: string }) {
  return (
    <Suspense fallback={<Skeleton h={400} />}>
      <Steps title={title} />
    </Suspense>
  );
}
