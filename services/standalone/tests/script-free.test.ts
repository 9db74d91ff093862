import { it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";
import { expectLinkFollowsReview, expectNewsletterCounts } from "./script-free.ts";

it("leads a newsletter's reader to the advertiser with the publisher's parameters, and counts what they did", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });
  await expectNewsletterCounts(installation.url);
  await installation.stop();
}, 300_000);

it("leads to what the publisher has approved last, through review, edit and rejection", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });
  await expectLinkFollowsReview(installation.url);
  await installation.stop();
}, 300_000);
