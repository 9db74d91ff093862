import { z } from "zod";
import { CORRECTION_STATUSES, LONGEST_CORRECTION_DAYS } from "#libs/domain/correction.ts";
import { COUNT_LIMITS, LONGEST } from "#libs/domain/limits.ts";
import { DAY_MS } from "#libs/domain/report-zone.ts";
import { memberApi } from "./errors.ts";
import { pageOf } from "./query.ts";
import { id, timestamp, trimmedText } from "./text.ts";

const ofAd = z.object({ workspaceId: z.string(), adId: z.string() });
const one = ofAd.extend({ correctionId: z.string() });

const day = z.iso.date("Must be a date such as 2026-11-21.").meta({ examples: ["2026-11-21"] });
const days = {
  from: day.meta({ description: "The first UTC day.", examples: ["2026-11-21"] }),
  to: day.meta({ description: "The last one, which is included.", examples: ["2026-11-22"] }),
};
const aboutReason = {
  description: "Why; the advertiser reads it, too.",
  examples: ["A crawler of a partner opened every link."],
};

/** Days of an ad whose traffic its publisher has found invalid afterwards. */
export const correction = z.object({
  id: id("cor_01kahm4sw4fksra52s8bd8xkd1"),
  ...days,
  reason: z.string().meta(aboutReason),
  status: z.enum(CORRECTION_STATUSES).meta({
    description:
      "`Proposed`: one visitor clicked conspicuously often, and nobody has decided. Only `Applied` ones change figures.",
  }),
  createdAt: timestamp,
});
export type CorrectionView = z.output<typeof correction>;

/** What somebody says of days to correct. */
export const newCorrection = z
  .object({ ...days, reason: trimmedText(1, LONGEST.note, aboutReason) })
  .refine(({ from, to }) => from <= to, { path: ["to"], message: "Must not be before the first day." })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < LONGEST_CORRECTION_DAYS * DAY_MS, {
    path: ["to"],
    message: `A correction has at most ${LONGEST_CORRECTION_DAYS} days.`,
  });

const PATH = "/workspaces/{workspaceId}/ads/{adId}/corrections";

export const correctionsContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: PATH,
      tags: ["Ads"],
      summary: "List the corrections of an ad",
      description:
        "As one page of at most 500: what applies, then what is proposed, then what was dismissed; of each the newest first.",
    })
    .input(ofAd)
    .output(pageOf(correction)),
  create: memberApi("Manager")
    .route({
      method: "POST",
      path: PATH,
      tags: ["Ads"],
      summary: "Correct the traffic of an ad",
      description: `The ad's valid events of these UTC days no longer count in any figure; in the traffic and in reports they have the verdict \`corrected\`. The events stay, and a correction can be revoked. ${COUNT_LIMITS.corrections.sentence}`,
    })
    .input(newCorrection.safeExtend(ofAd.shape))
    .output(correction),
  apply: memberApi("Manager")
    .route({
      method: "POST",
      path: `${PATH}/{correctionId}/apply`,
      tags: ["Ads"],
      summary: "Apply a proposed correction",
      description: "Also one that was dismissed.",
    })
    .input(one)
    .output(correction),
  revoke: memberApi("Manager")
    .route({
      method: "DELETE",
      path: `${PATH}/{correctionId}`,
      tags: ["Ads"],
      summary: "Revoke a correction, or dismiss a proposed one",
      description: "Its events count again, at once. One that was proposed stays in the list, as dismissed.",
    })
    .input(one)
    .output(z.object({ success: z.boolean() })),
};
