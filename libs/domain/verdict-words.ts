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
    reason: "A search engine, monitor or link preview.",
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
    reason: "The ad had been off for 15 minutes or more: an old tab or a cached page.",
  },
  network: {
    title: "Blocked networks",
    reason: "From a network that the operator of this installation blocks, such as a data center.",
  },
  unproven: {
    title: "Without proof",
    reason: "Proof is required, and this event had none that is still valid.",
  },
};
