import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import { copyText } from "./copy-text.ts";
import { isLinkScanner, isMailService } from "./mail-services.ts";
import type { RobotList, UserAgentList } from "./user-agent-lists.ts";

/** No browser sends a longer user agent; the rest is ignored. */
const LENGTH = 512;
const MAX_KNOWN = 5_000;

/** What a user agent alone says; null for a browser. */
export type UserAgentVerdict = "bot" | "prefetch" | null;

/** Judges visitors by what they call themselves. */
export interface UserAgents {
  /** The verdict of a user agent that `userAgentOf` has cut. Empty is a bot: every browser sends one. */
  judge(userAgent: string): UserAgentVerdict;
  /** From now on judges by these lists of the operator, too. Those that are not named stay as they are. */
  use(lists: UserAgentLists): void;
}

export interface UserAgentLists {
  readonly browsers?: UserAgentList;
  readonly robots?: RobotList;
}

/** Without lists of the operator at first. */
export function createUserAgents(): UserAgents {
  let lists: UserAgentLists = {};
  /** Cleared when full: tracking which was used last would cost each event more than judging a few thousand user agents again. */
  const known = new Map<string, UserAgentVerdict>();

  return {
    judge(userAgent) {
      if (userAgent === "") return "bot";
      const remembered = known.get(userAgent);
      if (remembered !== undefined) return remembered;
      const verdict = verdictOf(userAgent, lists);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(userAgent, verdict);
      return verdict;
    },
    use(changed) {
      lists = { ...lists, ...changed };
      known.clear();
    },
  };
}

function verdictOf(userAgent: string, lists: UserAgentLists): UserAgentVerdict {
  // Mail services come first, because the list of bots has some of them.
  if (isMailService(userAgent)) return "prefetch";
  return isLinkScanner(userAgent) || isbot(userAgent) || isListed(userAgent, lists) ? "bot" : null;
}

/** Two passes: is it a browser, then is it a robot. Without a list of browsers, every robot entry applies. */
function isListed(userAgent: string, { browsers, robots }: UserAgentLists): boolean {
  const inLowerCase = userAgent.toLowerCase();
  if (browsers === undefined) return robots?.has(inLowerCase) ?? false;
  return !browsers.has(inLowerCase) || (robots?.hasAmongBrowsers(inLowerCase) ?? false);
}

/** The user agent, cut to the length that is used. */
export function userAgentOf(headers: IncomingHttpHeaders): string {
  return cutUserAgent(headers["user-agent"] ?? "");
}

/** The part of a user agent that is used: a server may send a megabyte. */
export function cutUserAgent(userAgent: string): string {
  return userAgent.length <= LENGTH ? userAgent : copyText(userAgent.slice(0, LENGTH));
}
