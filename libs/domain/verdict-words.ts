import type { Verdict } from "./event.ts";

interface VerdictWords {
  readonly title: string;
  /** One sentence: when an event gets this verdict. */
  readonly reason: string;
}

/** What people read about each verdict, in the dashboard and in the interface description. */
export const VERDICT_WORDS: Readonly<Record<Verdict, VerdictWords>> = {
  valid: { title: "Counted", reason: "Seen or clicked by a visitor while the ad was live." },
  bot: {
    title: "Bots",
    reason: "The user agent names an automated client: a search engine, a monitor, a link preview.",
  },
  prefetch: {
    title: "Prefetches",
    reason: "The browser or a mail service loaded it ahead of time, before anyone looked at it.",
  },
  duplicate: {
    title: "Duplicates",
    reason: "Same visitor, same action, within seconds, such as a double click.",
  },
  not_serving: {
    title: "Ad not live",
    reason: "The ad hadn’t been live for at least 15 minutes, such as on a tab left open or a cached page.",
  },
  network: {
    title: "Blocked networks",
    reason:
      "The address is in a network that the operator of this installation blocks, such as a data center’s.",
  },
  unproven: {
    title: "Without proof",
    reason:
      "Your settings ask for proof, and none came with it that the ad had been handed out within the last minutes.",
  },
};
