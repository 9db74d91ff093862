import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const publisher = await aPublisher(service);

it("answers 502 to a submission while its payment cannot be verified", async () => {
  const sold = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  const body = { name: "Example Coffee", websiteUrl: "https://coffee.example" };

  const { code } = await service.processor.while("gone", () =>
    checkout.caller.refused(502, "POST", `${checkout.path}/ad`, body),
  );
  const { rowCount } = await service.database.pool.query("select 1 from ads");
  const submitted = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, body);

  expect(code).toBe("PAYMENT_PROCESSOR_FAILED");
  expect(rowCount).toBe(0);
  expect(submitted.status).toBe("Pending");
});
