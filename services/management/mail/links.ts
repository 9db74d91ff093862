import type { PublisherMail } from "#libs/domain/settings.ts";

/**
 * Where an advertiser finds the session after payment and from emails. The session's id is the advertiser's secret. The
 * workspace is named by its id, because a slug can change.
 */
export function checkoutAddress(publicUrl: URL, workspaceId: string, sessionId: string): string {
  return `${publicUrl.origin}/advertise/${workspaceId}/checkout/${sessionId}`;
}

/** The first and the last day, such as `2026-11-21`. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** The pages of the dashboard that list what the letters of a kind are about. */
const LISTS: Readonly<Record<PublisherMail, string>> = {
  purchase: "/advertisers",
  adWaiting: "/review",
  paymentFailed: "/advertisers?subscription=PastDue",
  subscriptionCanceled: "/advertisers",
  adAlert: "/ads",
};

/**
 * Every URL that an email points at. Those of the dashboard are its pages; their tokens are behind the `#`, which browsers
 * do not send: they are in no log and no Referer.
 */
export function mailLinks(publicUrl: URL) {
  const { origin } = publicUrl;
  const withToken = (page: string, token: string) => `${origin}${page}#token=${encodeURIComponent(token)}`;
  const inWorkspace = (workspaceId: string, page: string) => `${origin}/w/${workspaceId}${page}`;
  return {
    // People
    signUp: (token: string) => withToken("/sign-up", token),
    signIn: () => `${origin}/sign-in`,
    confirmAccount: (token: string, from: string | null) =>
      withToken(
        from === null || from === "/"
          ? "/confirm-account"
          : `/confirm-account?${new URLSearchParams({ from })}`,
        token,
      ),
    resetPassword: (token: string) => withToken("/reset-password", token),
    confirmEmail: (token: string) => withToken("/confirm-email", token),
    account: () => `${origin}/account`,
    acceptInvitation: (token: string) => withToken("/accept-invitation", token),

    // Publishers
    reviewAd: (workspaceId: string, adId: string) => inWorkspace(workspaceId, `/ads/${adId}`),
    advertiser: (workspaceId: string, advertiserId: string) =>
      inWorkspace(workspaceId, `/advertisers/${advertiserId}`),
    /** The report of some days, compared with those before. */
    report: (workspaceId: string, { from, to, timeZone }: Days & { readonly timeZone: string }) =>
      inWorkspace(
        workspaceId,
        `/reports?${new URLSearchParams({ from, to, zone: timeZone, compare: "previous" })}`,
      ),
    listOf: (workspaceId: string, kind: PublisherMail) => inWorkspace(workspaceId, LISTS[kind]),

    // Advertisers
    checkout: (workspaceId: string, sessionId: string) => checkoutAddress(publicUrl, workspaceId, sessionId),
    billing: (workspaceId: string, sessionId: string) =>
      `${checkoutAddress(publicUrl, workspaceId, sessionId)}/billing`,
    pay: (workspaceId: string, sessionId: string) =>
      `${checkoutAddress(publicUrl, workspaceId, sessionId)}/billing/pay`,
    reportOfAd: (workspaceId: string, sessionId: string, { from, to }: Days) =>
      `${checkoutAddress(publicUrl, workspaceId, sessionId)}/report?${new URLSearchParams({ from, to, per: "day" })}`,
    advertisersAds: (workspaceId: string, token: string) => `${origin}/advertise/${workspaceId}/ads/${token}`,
    unsubscribe: (token: string) => `${origin}/v1/unsubscribe/${token}`,
  };
}
