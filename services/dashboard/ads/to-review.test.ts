import { expect, it } from "vitest";
import { anAd } from "../tests/test-ads.ts";
import { listToReview } from "./to-review.ts";

const website = { websiteUrl: "https://coffee.example", meta: [] };
const newest = anAd({ id: "ad_new", status: "Pending", createdAt: "2026-11-09T00:00:00.000Z" });
const oldest = anAd({ id: "ad_old", status: "Pending", createdAt: "2026-11-01T00:00:00.000Z" });
const edit = {
  ...website,
  adId: "ad_edited",
  version: 2,
  previous: null,
  name: "Example Roastery",
  note: null,
  submittedAt: "2026-11-05T00:00:00.000Z",
};

it("has new ads and edits in one queue, the longest wait first", () => {
  const queue = listToReview([newest, oldest], [edit]);

  expect(queue.map(({ adId, kind }) => [adId, kind])).toEqual([
    ["ad_old", "ad"],
    ["ad_edited", "revision"],
    ["ad_new", "ad"],
  ]);
});

it("leaves out ads and edits that wait for the advertiser", () => {
  const asked = { ...anAd({ status: "Pending" }), rejectionNote: "Please name the roast." };

  expect(listToReview([asked, anAd()], [{ ...edit, note: "Which roast?" }])).toEqual([]);
});
