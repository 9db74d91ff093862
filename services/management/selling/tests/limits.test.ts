import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { one, openPage } from "./pages.ts";
import { pathOf } from "./states.ts";

const service = await startManagement();
const publisher = await aPublisher(service);
const sold = await aTier(publisher);
const paid = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");

it("begins at most 20 checkouts a minute for one address, those of the API among them", async () => {
  const offer = `/advertise/${publisher.workspace.slug}`;
  await paid.caller.request("POST", `${publisher.path}/checkout-sessions`, {});

  const answers = await Promise.all(
    Array.from({ length: 25 }, () => openPage(service, offer, new URLSearchParams())),
  );

  // One was bought above, one asked for just now.
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(18);
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(7);
  for (const page of limited) {
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(one(page, "h1").text).toBe("Too many requests");
    expect(page.text).toContain("Try again in a minute.");
  }
});

it("opens at most 120 pages of sessions a minute for one address, guesses and the API among them", async () => {
  await Promise.all(Array.from({ length: 10 }, () => paid.caller.request("GET", paid.path)));
  const guess = `/advertise/${publisher.workspace.id}/checkout/cs_test_0000000000000000`;

  const answers = await Promise.all([
    ...Array.from({ length: 60 }, () => openPage(service, pathOf(publisher, paid))),
    ...Array.from({ length: 60 }, () => openPage(service, guess)),
  ]);

  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
});

it("takes at most 60 forms a minute from one address, however many pages it has opened", async () => {
  await paid.caller.request("POST", `${paid.path}/ad`, {});

  const answers = await Promise.all(
    Array.from({ length: 62 }, () => openPage(service, pathOf(publisher, paid), new URLSearchParams())),
  );

  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
});
