/** The search of the sign-in pages: the page to return to, and a notice. */
export interface ComingFrom {
  readonly from?: string;
  readonly notice?: Notice;
}

const NOTICES = ["ended", "verified", "reset"] as const;
export type Notice = (typeof NOTICES)[number];

/** Reads the search of a sign-in page. Only pages of this site are accepted, so links cannot redirect elsewhere. */
export function readComingFrom({ from, notice }: Record<string, unknown>): ComingFrom {
  const known = NOTICES.find((one) => one === notice);
  return {
    ...(typeof from === "string" && isOwnPage(from) ? { from } : {}),
    ...(known === undefined ? {} : { notice: known }),
  };
}

/** Whether a text is a path on this site, and not something that browsers read as another host. */
export function isOwnPage(path: string): boolean {
  if (!path.startsWith("/")) return false;
  const here = "https://here.invalid";
  return URL.canParse(path, here) && new URL(path, here).origin === here;
}
