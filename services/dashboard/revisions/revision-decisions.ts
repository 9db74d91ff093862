import type { DecisionWords } from "../ads/decisions.ts";

/** What a publisher can decide about a proposed creative. */
export type RevisionAction = "approve" | "request-changes" | "reject";

/** What is said of such a decision, before and after. None of them touches the subscription. */
export const REVISION_WORDS: Readonly<Record<RevisionAction, DecisionWords>> = {
  approve: {
    title: "Approve the edit",
    effects: ["It replaces the running creative within a second. Billing stays as it is."],
    action: "Approve edit",
    done: "Edit approved, and on air",
    isDangerous: false,
  },
  "request-changes": {
    title: "Request changes to the edit",
    effects: [
      "The advertiser gets your note by e-mail with a link to submit again.",
      "The running creative stays on air, and the edit stays open.",
      "The subscription and its billing stay as they are.",
    ],
    action: "Request changes",
    done: "Changes requested",
    isDangerous: false,
  },
  reject: {
    title: "Reject the edit",
    effects: [
      "The edit is dropped. The advertiser gets your note by e-mail and can submit another one.",
      "The running creative stays on air, unchanged.",
      "The subscription and its billing stay as they are.",
    ],
    action: "Reject edit",
    done: "Edit rejected",
    isDangerous: true,
  },
};
