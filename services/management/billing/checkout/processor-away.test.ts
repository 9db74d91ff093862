import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { processor } = service;
const publisher = await aPublisher(service);
const { caller } = publisher;
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };

it("accepts a submission without the processor once the payment is known here", async () => {
  const sold = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);

  const submitted = await processor.while("gone", () =>
    checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative),
  );

  expect(submitted.status).toBe("Pending");
});

it("catches up by webhook when a pause went through and its answer was lost", async () => {
  const running = await anApprovedAd(service, publisher);

  await processor.while("mute to writes", () => caller.refused(502, "POST", `${running.path}/pause`));

  await vi.waitFor(
    async () => expect((await caller.ok(ad, "GET", running.path)).subscription.status).toBe("Paused"),
    { timeout: 10_000, interval: 50 },
  );
  expect(await actionsOn(service, running.id)).toEqual(["ad.submit", "ad.approve"]);
  expect((await caller.ok(ad, "POST", `${running.path}/resume`)).subscription.status).toBe("Active");
});
