import { expect, it } from "vitest";
import { anAd, startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div data-placard="ws_1"></div>';
const PROOF = "a_proof-of_22_digits_x";

it("asks for proofs, and reports what is seen and clicked with that of the ad", async () => {
  rig.ads = [anAd("Example Coffee", { proof: PROOF })];
  const { page } = await rig.open(`${SLOT}${rig.tag}`);

  await expect.poll(() => rig.proofs).toEqual([PROOF]);
  await page
    .locator("[data-placard] a")
    .first()
    .evaluate((link) => {
      link.addEventListener("click", (event) => event.preventDefault());
    });
  await page.locator("[data-placard] a").first().click();

  await expect.poll(() => rig.proofs).toEqual([PROOF, PROOF]);
  expect(rig.asked.map((query) => query.get("proof"))).toEqual(["1"]);
});

it("sends by the module the proof that came with the ad, the newest of it, or the one that it is given", async () => {
  rig.ads = [anAd("Example Coffee", { proof: "an older one" })];
  const { page } = await rig.open("<p>A site</p>");
  await page.evaluate(`import("${rig.origin}/embed.mjs").then(async (embed) => {
    globalThis.embed = embed;
    await embed.getAds({ workspace: "ws_1" });
  })`);
  rig.ads = [anAd("Example Coffee", { proof: PROOF })];

  await page.evaluate(`embed.getAds({ workspace: "ws_1" }).then(async ([{ id }]) => {
    await embed.trackImpression(id);
    await embed.trackImpression(id, { proof: "of a server's & own" });
    await embed.trackImpression("ad_of_a_server");
    embed.trackClick(id);
  })`);

  await expect.poll(() => rig.proofs).toEqual([PROOF, "of a server's & own", null, PROOF]);
});

it("reports by the script what another copy on the page has got", async () => {
  rig.ads = [anAd("Example Coffee", { proof: PROOF })];
  const { page } = await rig.open(rig.tag);
  await page.waitForFunction(() => window.placard !== undefined);

  await page.evaluate(`import("${rig.origin}/embed.mjs").then(async ({ claimAds }) => {
    const { ads } = await claimAds({ workspace: "ws_1" });
    await window.placard.trackImpression(ads[0].id);
  })`);

  expect(rig.proofs).toEqual([PROOF]);
});

it("reports without a proof where the service gives none, or something else", async () => {
  rig.ads = [anAd("Example Coffee"), { ...anAd("Example Hosting"), ...({ proof: 7 } as object) }];
  await rig.open(`${SLOT}${SLOT}${rig.tag}`);

  await expect.poll(() => rig.proofs).toEqual([null, null]);
});
