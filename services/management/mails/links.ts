import { checkoutAddress } from "../checkout/sessions.ts";

/**
 * Every address that a mail points at. Those of the dashboard are its pages; their tokens are behind the `#`, which
 * browsers keep to themselves: they are in no log and no Referer.
 */
export function mailLinks(publicUrl: URL) {
  const { origin } = publicUrl;
  const withToken = (page: string, token: string) => `${origin}${page}#token=${encodeURIComponent(token)}`;
  const inWorkspace = (workspaceId: string, page: string) => `${origin}/w/${workspaceId}${page}`;
  return {
    // People
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

    // Advertisers. The session's id is what lets them in.
    checkout: (workspaceId: string, sessionId: string) => checkoutAddress(publicUrl, workspaceId, sessionId),
    billing: (workspaceId: string, sessionId: string) =>
      `${checkoutAddress(publicUrl, workspaceId, sessionId)}/billing`,
    unsubscribe: (token: string) => `${origin}/v1/unsubscribe/${token}`,
  };
}
