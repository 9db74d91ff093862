import { useQuery } from "@tanstack/react-query";
import { createRoute, createRouter, Outlet, redirect, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { readAdFilters } from "../ads/ad-filters.ts";
import { readQueueSearch } from "../ads/queue-search.ts";
import { readAdvertiserSearch, readAdvertisersSearch, readPaymentsSearch } from "../advertisers/search.ts";
import { query } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.ts";
import { readAuditSearch } from "../audit/search.ts";
import { readDaysSearch } from "../components/days.tsx";
import { FailedPage, NotFoundPage } from "../components/error-pages.tsx";
import { readEditSearch } from "../components/search.ts";
import { Loading } from "../components/states.tsx";
import { readReportSearch } from "../reports/report-search.ts";
import { readSettingsSearch } from "../settings/search.ts";
import { page } from "./pages.ts";
import { at, only, root } from "./root-route.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { WorkspaceLayout } from "./workspace-layout.tsx";

// People

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: SignedIn,
  beforeLoad: async ({ context, location }) => {
    const { queryClient: client } = context;
    // The person may have signed in in another tab since.
    const person = client.getQueryData(sessionQuery.queryKey) ?? (await client.fetchQuery(sessionQuery));
    if (person === null) throw redirect({ to: "/sign-in", search: { from: location.href } });
  },
});

const start = createRoute({
  ...at(signedIn, "/"),
  loader: async ({ context }) => {
    const { items } = await context.queryClient.fetchQuery(query.workspaces.list.queryOptions());
    const [first] = items;
    if (first === undefined) throw redirect({ to: "/welcome", replace: true });
    throw redirect({ to: "/w/$workspaceId/overview", params: { workspaceId: first.id }, replace: true });
  },
});

const welcome = createRoute({
  ...at(signedIn, "/welcome"),
  component: page(() => import("../onboarding/welcome-page.tsx"), "WelcomePage"),
});

const account = createRoute({
  ...at(signedIn, "/account"),
  component: page(() => import("../account/account-page.tsx"), "AccountPage"),
});

// Members of a workspace

const firstSteps = createRoute({
  ...at(signedIn, "/w/$workspaceId/welcome"),
  validateSearch: only(({ step }): { step?: "fields" | "tag" } =>
    step === "fields" || step === "tag" ? { step } : {},
  ),
  component: page(() => import("../onboarding/first-steps-page.tsx"), "FirstStepsPage"),
});

const workspace = createRoute({
  ...at(signedIn, "/w/$workspaceId"),
  component: WorkspaceLayout,
});

const workspaceStart = createRoute({
  ...at(workspace, "/"),
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/w/$workspaceId/overview", params, replace: true });
  },
});

const overview = createRoute({
  ...at(workspace, "/overview"),
  validateSearch: only(readDaysSearch),
  component: page(() => import("../overview/overview-page.tsx"), "OverviewPage"),
});

const reports = createRoute({
  ...at(workspace, "/reports"),
  validateSearch: only(readReportSearch),
  component: page(() => import("../reports/reports-page.tsx"), "ReportsPage"),
});

const ads = createRoute({
  ...at(workspace, "/ads"),
  validateSearch: only(readAdFilters),
  component: page(() => import("../ads/ads-page.tsx"), "AdsPage"),
});

const ad = createRoute({
  ...at(workspace, "/ads/$adId"),
  validateSearch: only(readDaysSearch),
  component: page(() => import("../ads/ad-page.tsx"), "AdPage"),
});

const review = createRoute({
  ...at(workspace, "/review"),
  validateSearch: only(readQueueSearch),
  component: page(() => import("../ads/review-page.tsx"), "ReviewPage"),
});

const advertisers = createRoute({
  ...at(workspace, "/advertisers"),
  validateSearch: only(readAdvertisersSearch),
  component: page(() => import("../advertisers/advertisers-page.tsx"), "AdvertisersPage"),
});

const advertiser = createRoute({
  ...at(workspace, "/advertisers/$advertiserId"),
  validateSearch: only(readAdvertiserSearch),
  component: page(() => import("../advertisers/advertiser-page.tsx"), "AdvertiserPage"),
});

const payments = createRoute({
  ...at(workspace, "/payments"),
  validateSearch: only(readPaymentsSearch),
  component: page(() => import("../advertisers/payments-page.tsx"), "PaymentsPage"),
});

const tiers = createRoute({
  ...at(workspace, "/tiers"),
  validateSearch: only(readEditSearch),
  component: page(() => import("../tiers/tiers-page.tsx"), "TiersPage"),
});

const fields = createRoute({
  ...at(workspace, "/fields"),
  validateSearch: only(readEditSearch),
  component: page(() => import("../fields/fields-page.tsx"), "FieldsPage"),
});

const settings = createRoute({
  ...at(workspace, "/settings"),
  validateSearch: only(readSettingsSearch),
  component: page(() => import("../settings/settings-page.tsx"), "SettingsPage"),
});

const audit = createRoute({
  ...at(workspace, "/audit"),
  validateSearch: only(readAuditSearch),
  component: page(() => import("../audit/audit-page.tsx"), "AuditPage"),
});

/** The same settings of the person beside the workspace's navigation. */
const ownAccount = createRoute({
  ...at(workspace, "/account"),
  component: page(() => import("../account/account-page.tsx"), "AccountPage"),
});

const tree = root.addChildren([
  ...signInRoutes,
  signedIn.addChildren([
    start,
    welcome,
    account,
    firstSteps,
    workspace.addChildren([
      workspaceStart,
      overview,
      reports,
      ads,
      ad,
      review,
      advertisers,
      advertiser,
      payments,
      tiers,
      fields,
      settings,
      audit,
      ownAccount,
    ]),
  ]),
]);

/** Maps every address to its page. */
export const router = createRouter({
  routeTree: tree,
  context: { queryClient },
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFoundPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** The pages behind the sign-in. A session that ends leads to the sign-in page, and from there back. */
function SignedIn() {
  const { data: person } = useQuery(sessionQuery);
  const isOver = person === null;
  const router = useRouter();
  useEffect(() => {
    if (!isOver) return;
    const { href: from } = router.state.location;
    void router.navigate({ to: "/sign-in", search: { from, notice: "ended" } });
  }, [isOver, router]);
  return isOver ? null : <Outlet />;
}
