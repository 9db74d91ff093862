import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../../services/management/tests/story.ts";
import { expectInsideCards, expectNoOverflow, openPage, startProduct } from "../index.ts";

const product = startProduct();

/** Each is used as a name, a note, a value and any other text that a user can enter. */
const TEXTS: readonly (readonly [string, string])[] = [
  ["a script", "<script>alert(1)</script>"],
  ["an event handler", `"><img src=x onerror=alert(1)>`],
  ["an end of what is around it", "</title></textarea></style></script><svg onload=alert(1)>"],
  ["an address that is a script", "javascript:alert(1)"],
  ["a framework's template", "{{constructor.constructor('alert(1)')()}}"],
  ["words that run from right to left", "a \u05e2\u05d1\u05e8\u05d9\u05ea gnp.exe z"],
  ["one long word", "W".repeat(80)],
];

it.each(TEXTS)("shows %s as text wherever it was written", async (_case, text) => {
  const publisher = await aPublisher(product, text);
  const { caller, path } = publisher;
  const tier = await aTier(publisher, {
    name: text,
    description: text,
    features: [{ label: text, type: "neutral" }],
  });
  const fields = [
    await aField(publisher, { name: text, description: text, placeholder: text }),
    await aField(publisher, { name: "Choice", type: "Select", options: [text, "Other"] }),
  ];
  const checkout = await aPaidCheckout(product, publisher, tier.prices[0]?.id ?? "");
  const ad = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    name: text,
    websiteUrl: "https://coffee.example/?q=%3Cscript%3E",
    meta: fields.map(({ id }) => ({ fieldId: id, value: text })),
  });
  const { page, context } = await openPage(product.origin);
  await page.addInitScript("globalThis.alert = () => console.error('it ran')");
  await context.addCookies(cookiesOf(publisher.person.cookie));
  const shown = await caller.request("GET", `${path}/ads/${ad.id}`);
  const [, advertiserId = ""] = /"advertiser":\{"id":"(\w+)"/.exec(shown.text) ?? [];

  const at = `/w/${publisher.workspace.id}`;
  const expectShown = async (address: string) => {
    await page.goto(address);
    await expectText(page, text);
    await expectNoOverflow(page, 320);
    await expectInsideCards(page, 320);
  };
  await expectShown(`${at}/review`);
  await caller.request("POST", `${path}/ads/${ad.id}/request-changes`, { note: text });
  for (const address of [
    `${at}/overview`,
    `${at}/ads`,
    `${at}/ads/${ad.id}`,
    `${at}/advertisers/${advertiserId}`,
    `${at}/payments`,
    `${at}/tiers`,
    `${at}/tiers?edit=${tier.id}`,
    `${at}/fields`,
    `${at}/fields?edit=${fields[0]?.id}`,
    `${at}/settings`,
    `${at}/audit`,
    `/advertise/${publisher.workspace.slug}`,
    `/advertise/${publisher.workspace.id}/checkout/${checkout.sessionId}`,
  ]) {
    await expectShown(address);
  }
});

/** The text is somewhere on the page, as text or in an input, and nothing else was created from it. */
async function expectText(page: Page, text: string): Promise<void> {
  const found = () =>
    page.evaluate((words) => {
      const inputs = [...document.querySelectorAll<HTMLInputElement>("input, textarea, option")];
      return document.body.innerText.includes(words) || inputs.some(({ value }) => value.includes(words));
    }, text);
  await expect.poll(found, { message: `${text} at ${page.url()}` }).toBe(true);
  expect(await page.locator('img[src="x"], svg[onload], [href^="javascript:"]').count()).toBe(0);
}

function cookiesOf(header: string): { name: string; value: string; url: string }[] {
  return header.split("; ").map((one) => {
    const [name = "", ...value] = one.split("=");
    return { name, value: value.join("="), url: product.origin };
  });
}
