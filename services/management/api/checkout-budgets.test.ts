import { expect, it } from "vitest";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement();
const publisher = await aPublisher(service);
const sold = await aTier(publisher);
const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
const anybody = new ApiCaller(service.origin);
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };

function budgetOf({ headers }: { readonly headers: Headers }) {
  return ["limit", "remaining", "reset"].map((name) => Number(headers.get(`ratelimit-${name}`) ?? "NaN"));
}

it("lets an advertiser submit whose page has used up its reads, and says on each answer what remains", async () => {
  const reads = await Promise.all(Array.from({ length: 125 }, () => anybody.request("GET", checkout.path)));
  const submitted = await anybody.request("POST", `${checkout.path}/ad`, creative);
  const granted = await anybody.request("POST", `${checkout.path}/uploads`, {});
  const started = await anybody.request("POST", `${publisher.path}/checkout-sessions`, {});

  expect(reads.filter(({ status }) => status === 200)).toHaveLength(120);
  for (const answer of reads) {
    const [limit, remaining, reset] = budgetOf(answer);
    expect(limit).toBe(120);
    expect(remaining).toBeLessThan(120);
    expect(reset).toBeLessThanOrEqual(60);
    expect(answer.headers.has("retry-after")).toBe(answer.status === 429);
  }
  expect([submitted.status, ...budgetOf(submitted).slice(0, 2)]).toEqual([200, 60, 59]);
  // Grants of uploads share the budget of submissions.
  expect([granted.status, ...budgetOf(granted).slice(0, 2)]).toEqual([422, 60, 58]);
  // One was started to have a session at all.
  expect([started.status, ...budgetOf(started).slice(0, 2)]).toEqual([422, 20, 18]);
});
