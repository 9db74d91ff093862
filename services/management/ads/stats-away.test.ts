import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ stats: "away" });
const publisher = await aPublisher(service);
const { caller, path } = publisher;

it("answers 503 with Retry-After while the stats store is away, and only where it is needed", async () => {
  const running = await anApprovedAd(service, publisher);
  const advertiser = `${path}/advertisers/${running.subscription.advertiser.id}`;

  const advertisers = `${path}/advertisers`;
  for (const needing of [
    `${running.path}/stats`,
    `${running.path}/traffic`,
    `${path}/stats`,
    advertiser,
    advertisers,
  ]) {
    const answer = await caller.request("GET", needing);

    expect(answer.status, needing).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(answer.text)).toEqual({
      defined: false,
      code: "SERVICE_UNAVAILABLE",
      status: 503,
      message: "Not available right now. Try again soon.",
      data: { requestId: answer.headers.get("x-request-id") },
    });
  }
  await caller.ok(ad, "GET", running.path);
});
