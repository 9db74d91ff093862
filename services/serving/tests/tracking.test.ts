import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type ServingRig } from "./serving-rig.ts";

const ad = anAd();
const snapshot = aSnapshot({ ads: [ad] });

describe("tracking over HTTP", () => {
  let rig: ServingRig;
  beforeEach(async () => {
    rig = await openRig({ snapshots: [snapshot] });
  });
  afterEach(() => rig.close());

  it("acknowledges an impression that is on disk", async () => {
    const response = await fetch(`${rig.url}/ads/${ad.id}/impressions`, {
      method: "POST",
      headers: { "user-agent": FIREFOX },
    });

    expect(await response.json()).toEqual({ success: true });
    expect(await rig.storedEvents()).toMatchObject([
      { workspace_id: snapshot.workspaceId, ad_id: ad.id, kind: "impression", verdict: "valid" },
    ]);
  });

  it("answers false for an unknown ad and stores nothing", async () => {
    const response = await fetch(`${rig.url}/ads/${newId("ad")}/impressions`, { method: "POST" });

    expect(await response.json()).toEqual({ success: false });
    expect(await rig.storedEvents()).toEqual([]);
  });
});
