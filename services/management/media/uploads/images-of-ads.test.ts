import { expect, it } from "vitest";
import { ad as adOutput } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { startManagement } from "../../tests/management.ts";
import { aField } from "../../tests/story.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

const QUOTA = 1024 * 1024;
/** Two for the one image field, and twenty. */
const MOST_UNUSED = 22;
/** Two are more than an eighth of the quota: a checkout with an unused one gets no other. */
const LARGE = Buffer.concat([A_PIXEL], 100_000);
const service = await startManagement({ unlimited: true, uploadQuotaBytes: QUOTA });

type Campaign = Awaited<ReturnType<typeof aLogoCampaign>>;

/** Asks for a grant; the status of the answer. */
async function ask({ checkout: { caller, path } }: Campaign, contentLength: number) {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  return (await caller.request("POST", `${path}/uploads`, body)).status;
}

it("counts files that an ad names in texts as unused, so that one purchase holds no more than its images", async () => {
  const campaign = await aLogoCampaign(service);
  const { publisher, checkout } = campaign;
  const line = await aField(publisher, { name: "Line" });
  const words = await aField(publisher, { name: "Words", type: "Textarea" });
  const grants = await Promise.all(Array.from({ length: MOST_UNUSED }, () => campaign.grant()));

  await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [
      { fieldId: line.id, value: grants[0]?.publicUrl },
      { fieldId: words.id, value: grants.map(({ key }) => key).join(" ") },
    ],
  });

  expect(await ask(campaign, 10)).toBe(409);
});

it.each(["pending", "approved"])(
  "has room for another image beside those of an ad (%s), its revision and the one before a note, whatever fields are deleted",
  async (status) => {
    const campaign = await aLogoCampaign(service);
    const { caller, path } = campaign.publisher;
    const show = async () => campaign.submit((await campaign.upload(LARGE)).publicUrl);
    const { id } = await show();
    const isApproved = status === "approved";
    if (isApproved) {
      await caller.ok(adOutput, "POST", `${path}/ads/${id}/approve`);
      await show();
    }
    const noted = await caller.request(
      "POST",
      `${path}/ads/${id}${isApproved ? "/revision" : ""}/request-changes`,
      { note: "Brighter, please." },
    );
    await show();
    await caller.request("DELETE", `${path}/fields/${campaign.logo.id}`);

    const statuses = [await ask(campaign, LARGE.length), await ask(campaign, LARGE.length)];

    expect(noted.status).toBe(200);
    expect(statuses).toEqual([200, 409]);
  },
);
