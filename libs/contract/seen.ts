import { version } from "./text.ts";

/** The `meta` of a decision on submitted content: it can be repeated, and can name the state that it is about. */
export const DECISION = { idempotent: true, takesIfMatch: true } as const;

/** The part of a decision's body that names the submission that was looked at; `If-Match` names the whole state. */
export const seen = {
  version: version.optional().meta({
    description:
      "The `version` of the ad or edit that was looked at. If the advertiser has submitted again since, nothing is decided: a 409 with the new `version` in `data`.",
    examples: [1],
  }),
};
