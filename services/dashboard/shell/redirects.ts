/** What the pages to sign in are told: where somebody wanted to go, and what has just happened. */
export interface ComingFrom {
  readonly from?: string;
  readonly notice?: Notice;
}

const NOTICES = ["ended", "verified", "reset"] as const;
export type Notice = (typeof NOTICES)[number];

/** Reads where to go after signing in. Only pages of this site are taken: a link must not lead somewhere else. */
export function readComingFrom({ from, notice }: Record<string, unknown>): ComingFrom {
  const known = NOTICES.find((one) => one === notice);
  return {
    ...(typeof from === "string" && isOwnPage(from) ? { from } : {}),
    ...(known === undefined ? {} : { notice: known }),
  };
}

/** Whether a text is the path of a page here: one slash first, and nothing that browsers read as another host. */
export function isOwnPage(path: string): boolean {
  if (!path.startsWith("/")) return false;
  const here = "https://here.invalid";
  return URL.canParse(path, here) && new URL(path, here).origin === here;
}
