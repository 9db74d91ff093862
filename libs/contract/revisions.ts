import { z } from "zod";
import { ad, previous, shownValue } from "./ad.ts";
import { memberApi } from "./errors.ts";
import { pageOf, paging } from "./query.ts";
import { DECISION, seen } from "./seen.ts";
import { id, note, timestamp, version } from "./text.ts";

/** A creative that is proposed while the approved one continues to serve. */
export const revision = z.object({
  adId: id("ad_01kahm4sw4fksra52s8bd8xkd1"),
  version,
  name: z.string(),
  websiteUrl: z.string(),
  meta: z
    .array(shownValue)
    .meta({ description: "The advertiser's values; publisher-only ones are not part of it." }),
  note: z.string().nullable().meta({ description: "The requested changes, until the next submission." }),
  previous,
  submittedAt: timestamp,
});
export type Revision = z.output<typeof revision>;

const inWorkspace = z.object({ workspaceId: z.string() });
const oneAd = inWorkspace.extend({ adId: z.string() });

export const revisionsContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/revisions",
      tags: ["Ads"],
      summary: "List open revisions",
      description: "Newest submission first. An ad has at most one open revision.",
    })
    .input(inWorkspace.extend(paging))
    .output(pageOf(revision)),
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/revision",
      tags: ["Ads"],
      summary: "Get the open revision of an ad",
      description: "A 404 if there is none.",
    })
    .input(oneAd)
    .output(revision),
  approve: memberApi("Manager")
    .meta(DECISION)
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/revision/approve",
      tags: ["Ads"],
      summary: "Approve the open revision of an ad",
      description:
        "Replaces the ad's creative, served within a second, and keeps the values of publisher-only fields. Answers the ad; `reviewedAt` is now. A 409 at `meta.<key>` for an image, as for approving an ad.",
    })
    .input(oneAd.extend(seen))
    .output(ad),
  requestChanges: memberApi("Manager")
    .meta(DECISION)
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/revision/request-changes",
      tags: ["Ads"],
      summary: "Ask the advertiser to change the open revision",
      description: "The revision stays open with the note, until a new submission replaces both.",
    })
    .input(oneAd.extend({ note, ...seen }))
    .output(revision),
  reject: memberApi("Manager")
    .meta(DECISION)
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/revision/reject",
      tags: ["Ads"],
      summary: "Reject the open revision of an ad",
      description:
        "The ad continues to serve unchanged and is returned. The note goes to the advertiser by email and into the audit log.",
    })
    .input(oneAd.extend({ note, ...seen }))
    .output(ad),
};
