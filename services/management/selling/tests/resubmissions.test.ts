import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { openPage } from "./pages.ts";
import { pathOf } from "./states.ts";

const service = await startManagement();

it("takes an ad 50 times a day, and says so beyond that, in the API and on the page", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const paid = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const submit = (name: string) =>
    paid.caller.request("POST", `${paid.path}/ad`, { name, websiteUrl: "https://coffee.example" });

  const taken = [];
  for (let time = 1; time <= 50; time += 1) taken.push((await submit(`Coffee ${time}`)).status);
  const beyond = await paid.caller.refused(409, "POST", `${paid.path}/ad`, {
    name: "Coffee 51",
    websiteUrl: "https://coffee.example",
  });
  const form = new URLSearchParams({ name: "Coffee 52", websiteUrl: "https://coffee.example" });
  const page = await openPage(service, pathOf(publisher, paid), form);

  expect(new Set(taken)).toEqual(new Set([200]));
  expect(beyond.data).toMatchObject({ reason: "LIMIT_REACHED" });
  expect([page.status, page.text]).toEqual([
    409,
    expect.stringContaining("50 times a day. Try again tomorrow."),
  ]);
});
