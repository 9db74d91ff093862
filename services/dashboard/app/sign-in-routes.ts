import { createRoute, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";
import { type ComingFrom, readComingFrom } from "../sign-in/redirects.ts";
import { page } from "./pages.ts";
import { at, only, type RouterContext, root } from "./root-route.ts";

/** Redirects people who are signed in, unless the page has a notice for them. */
async function skipIfSignedIn({ context, search }: { context: RouterContext; search: ComingFrom }) {
  if (search.notice !== undefined) return;
  // If this fails, the page reports it when it is used.
  const person = await context.queryClient.fetchQuery(sessionQuery).catch(() => null);
  if (person !== null) throw redirect({ href: search.from ?? "/", replace: true });
}

const signIn = createRoute({
  ...at(root, "/sign-in"),
  validateSearch: only(readComingFrom),
  beforeLoad: skipIfSignedIn,
  component: page(() => import("../sign-in/sign-in-page.tsx"), "SignInPage"),
});

const signUp = createRoute({
  ...at(root, "/sign-up"),
  validateSearch: only(readComingFrom),
  beforeLoad: skipIfSignedIn,
  component: page(() => import("../sign-in/sign-up-page.tsx"), "SignUpPage"),
});

const forgotPassword = createRoute({
  ...at(root, "/forgot-password"),
  component: page(() => import("../sign-in/lost-password-pages.tsx"), "ForgotPasswordPage"),
});

const resetPassword = createRoute({
  ...at(root, "/reset-password"),
  component: page(() => import("../sign-in/lost-password-pages.tsx"), "ResetPasswordPage"),
});

const acceptInvitation = createRoute({
  ...at(root, "/accept-invitation"),
  component: page(() => import("../sign-in/accept-invitation-page.tsx"), "AcceptInvitationPage"),
});

const confirmAccount = createRoute({
  ...at(root, "/confirm-account"),
  validateSearch: only(readComingFrom),
  component: page(() => import("../sign-in/confirm-pages.tsx"), "ConfirmAccountPage"),
});

const confirmEmail = createRoute({
  ...at(root, "/confirm-email"),
  component: page(() => import("../sign-in/confirm-pages.tsx"), "ConfirmEmailPage"),
});

/** The pages that need no session. */
export const signInRoutes = [
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  acceptInvitation,
  confirmAccount,
  confirmEmail,
] as const;
