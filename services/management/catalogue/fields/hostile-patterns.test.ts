import { describe, expect, it } from "vitest";
import { pathOf } from "../../selling/tests/states.ts";
import { startManagement } from "../../tests/management.ts";
import { waitOfSecondClient } from "../../tests/second-client.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const sold = await aTier(publisher);
const number = await aField(publisher, { name: "Seats", key: "seats", type: "Number" });
const bought = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");

const LONGEST_WAIT_MS = 250;
/** Spaces a pattern that has two ways to read a space tries them all before it gives up at the end: 4 s for these. */
const SPACES = `${" ".repeat(28)}\u0001`;
const DIGITS = `${"1".repeat(40_000)}x`;

describe("a second client gets its answer within 250 ms while a hostile one", () => {
  const post = (path: string, body: unknown) => () =>
    fetch(`${service.origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it.each([
    ["signs in", post("/api/auth/sign-in/email", { email: "a@example.com", password: SPACES })],
    [
      "signs up",
      post("/api/auth/sign-up/email", { name: SPACES, email: "b@example.com", password: "long enough" }),
    ],
    [
      "follows a link to verify an address",
      post("/api/auth/confirm-account", { token: SPACES, password: "long enough" }),
    ],
    [
      "submits a text",
      post(`${bought.path}/ad`, { name: SPACES, websiteUrl: "https://tea.example", meta: [] }),
    ],
    [
      "sends the form of an ad with a long number",
      () =>
        fetch(`${service.origin}${pathOf(publisher, bought)}`, {
          method: "POST",
          body: new URLSearchParams({
            name: "Tea",
            websiteUrl: "https://tea.example",
            [`meta.${number.key}`]: DIGITS,
          }),
        }),
    ],
  ])("%s", async (_does, attack) => {
    const wait = await waitOfSecondClient(service.origin, attack);

    expect(wait).toBeLessThan(LONGEST_WAIT_MS);
  });
});
