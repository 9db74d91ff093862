import { z } from "zod";
import { MOST_ADS_IN_STATS } from "#libs/domain/limits.ts";
import { adStats, adTraffic } from "./ad.ts";
import { memberApi } from "./errors.ts";
import { days } from "./query.ts";
import { whole } from "./text.ts";

/** Daily counts of a whole workspace, and of each ad over the window. */
export const workspaceStats = adStats.extend({
  ads: z.array(z.object({ adId: z.string(), impressions: whole, clicks: whole })).meta({
    description: `Ads with counted events in the window, most impressions first, at most ${MOST_ADS_IN_STATS}. For more, use a report.`,
  }),
});

export const statsContract = {
  workspace: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/stats",
      tags: ["Ads"],
      summary: "Daily impressions and clicks of all ads",
      description: "Valid events by UTC day, oldest first, and in total by ad.",
    })
    .input(z.object({ workspaceId: z.string(), days }))
    .output(workspaceStats),
  traffic: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/traffic",
      tags: ["Ads"],
      summary: "All events of all ads by verdict",
      description:
        "Which events were not counted, and why. Stats count valid events only. A visitor of several ads is one visitor.",
    })
    .input(z.object({ workspaceId: z.string(), days }))
    .output(adTraffic),
};
