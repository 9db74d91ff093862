import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { readAdSearch, readAdsSearch } from "../ads/search.ts";
import { readAdvertiserSearch, readAdvertisersSearch } from "../advertisers/search.ts";
import { readAuditSearch } from "../audit/search.ts";
import { readEditSearch } from "../editing/search.ts";
import { readFirstStepsSearch } from "../onboarding/search.ts";
import { readOverviewSearch } from "../overview/search.ts";
import { readSettingsSearch } from "../settings/search.ts";
import { query } from "./client.ts";
import { FailedPage } from "./failed-page.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { queryClient } from "./query-client.ts";
import { type ComingFrom, readComingFrom } from "./redirects.ts";
import { sessionQuery } from "./session.ts";
import { SignedIn } from "./signed-in.tsx";
import { Loading } from "./states.tsx";
import { WorkspaceLayout } from "./workspace-layout.tsx";

interface RouterContext {
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

// Anybody

/** Whoever is signed in has no use for the pages to sign in with, unless they say why somebody was led there. */
async function goOnIfSignedIn({ context, search }: { context: RouterContext; search: ComingFrom }) {
  if (search.notice !== undefined) return;
  // Where that cannot be found out, the page says so itself once it is used.
  const person = await context.queryClient.fetchQuery(sessionQuery).catch(() => null);
  if (person !== null) throw redirect({ href: search.from ?? "/", replace: true });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readComingFrom,
  beforeLoad: goOnIfSignedIn,
  component: lazyRouteComponent(() => import("../sign-in/sign-in-page.tsx"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: readComingFrom,
  beforeLoad: goOnIfSignedIn,
  component: lazyRouteComponent(() => import("../sign-in/sign-up-page.tsx"), "SignUpPage"),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  component: lazyRouteComponent(() => import("../sign-in/forgot-password-page.tsx"), "ForgotPasswordPage"),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyRouteComponent(() => import("../sign-in/reset-password-page.tsx"), "ResetPasswordPage"),
});

const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: "/accept-invitation",
  component: lazyRouteComponent(
    () => import("../sign-in/accept-invitation-page.tsx"),
    "AcceptInvitationPage",
  ),
});

const confirmAccount = createRoute({
  getParentRoute: () => root,
  path: "/confirm-account",
  validateSearch: readComingFrom,
  component: lazyRouteComponent(() => import("../sign-in/confirm-account-page.tsx"), "ConfirmAccountPage"),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: "/confirm-email",
  component: lazyRouteComponent(() => import("../sign-in/confirm-email-page.tsx"), "ConfirmEmailPage"),
});

// People

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: SignedIn,
  beforeLoad: async ({ context, location }) => {
    const { queryClient: client } = context;
    // Somebody who was nobody a moment ago may have signed in since, in another tab.
    const person = client.getQueryData(sessionQuery.queryKey) ?? (await client.fetchQuery(sessionQuery));
    if (person === null) throw redirect({ to: "/sign-in", search: { from: location.href } });
  },
});

const start = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  loader: async ({ context }) => {
    const { items } = await context.queryClient.fetchQuery(query.workspaces.list.queryOptions());
    const [first] = items;
    if (first === undefined) throw redirect({ to: "/welcome", replace: true });
    throw redirect({ to: "/w/$workspaceId/overview", params: { workspaceId: first.id }, replace: true });
  },
});

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: "/welcome",
  component: lazyRouteComponent(() => import("../onboarding/welcome-page.tsx"), "WelcomePage"),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: "/account",
  component: lazyRouteComponent(() => import("../sign-in/account-page.tsx"), "AccountPage"),
});

// Members of a workspace

const firstSteps = createRoute({
  getParentRoute: () => signedIn,
  path: "/w/$workspaceId/welcome",
  validateSearch: readFirstStepsSearch,
  component: lazyRouteComponent(() => import("../onboarding/first-steps-page.tsx"), "FirstStepsPage"),
});

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: "/w/$workspaceId",
  component: WorkspaceLayout,
});

const workspaceStart = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/w/$workspaceId/overview", params, replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: "/overview",
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import("../overview/overview-page.tsx"), "OverviewPage"),
});

const ads = createRoute({
  getParentRoute: () => workspace,
  path: "/ads",
  validateSearch: readAdsSearch,
  component: lazyRouteComponent(() => import("../ads/ads-page.tsx"), "AdsPage"),
});

const ad = createRoute({
  getParentRoute: () => workspace,
  path: "/ads/$adId",
  validateSearch: readAdSearch,
  component: lazyRouteComponent(() => import("../ads/ad-page.tsx"), "AdPage"),
});

const advertisers = createRoute({
  getParentRoute: () => workspace,
  path: "/advertisers",
  validateSearch: readAdvertisersSearch,
  component: lazyRouteComponent(() => import("../advertisers/advertisers-page.tsx"), "AdvertisersPage"),
});

const advertiser = createRoute({
  getParentRoute: () => workspace,
  path: "/advertisers/$advertiserId",
  validateSearch: readAdvertiserSearch,
  component: lazyRouteComponent(() => import("../advertisers/advertiser-page.tsx"), "AdvertiserPage"),
});

const tiers = createRoute({
  getParentRoute: () => workspace,
  path: "/tiers",
  validateSearch: readEditSearch,
  component: lazyRouteComponent(() => import("../tiers/tiers-page.tsx"), "TiersPage"),
});

const fields = createRoute({
  getParentRoute: () => workspace,
  path: "/fields",
  validateSearch: readEditSearch,
  component: lazyRouteComponent(() => import("../fields/fields-page.tsx"), "FieldsPage"),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import("../settings/settings-page.tsx"), "SettingsPage"),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("../audit/audit-page.tsx"), "AuditPage"),
});

const tree = root.addChildren([
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  acceptInvitation,
  confirmAccount,
  confirmEmail,
  signedIn.addChildren([
    start,
    welcome,
    account,
    firstSteps,
    workspace.addChildren([
      workspaceStart,
      overview,
      ads,
      ad,
      advertisers,
      advertiser,
      tiers,
      fields,
      settings,
      audit,
    ]),
  ]),
]);

/** Which page an address shows. */
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
