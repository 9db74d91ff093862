import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { startManagement } from "./management.ts";
import { aPaidCheckout, aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const publisher = await aPublisher(service);

it("answers a submission with 502 while nobody can tell whether it is paid for (section 5)", async () => {
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
