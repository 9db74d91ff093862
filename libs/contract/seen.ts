import { version } from "./text.ts";

/** The `meta` of a decision on submitted content: it can be repeated, and can name the version that it is about. */
export const DECISION = { idempotent: true, takesVersion: true } as const;

/** The part of a decision's body that names what was looked at; `If-Match` does the same. */
export const seen = {
  version: version.optional().meta({
    description:
      "The `version` of the ad or edit that was looked at. If the advertiser has submitted again since, nothing is decided: a 409 with the new `version` in `data`.",
    examples: [1],
  }),
};
