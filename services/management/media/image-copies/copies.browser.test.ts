import { expect, it, onTestFinished } from "vitest";
import { createImageFetcher } from "#libs/guarded-fetch/index.ts";
import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import { aSite } from "#libs/guarded-fetch/tests/sites.ts";
import {
  expectAccessible,
  expectInsideCards,
  expectNoOverflow,
  openPage,
  settled,
} from "../../../../infra/browser/index.ts";
import { pathOf } from "../../selling/tests/states.ts";
import { startManagement } from "../../tests/management.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

const sites: { port: number }[] = [];
const service = await startManagement({
  stats: "real",
  unlimited: true,
  images: createImageFetcher({
    contact: new URL("https://ads.example.com"),
    maxBytes: 1_000_000,
    network: networkOf(sites),
  }),
});

it("tells both sides that an image of another site is being copied, and shows it once it is", async () => {
  const arrival = Promise.withResolvers<void>();
  onTestFinished(() => arrival.resolve());
  const site = await aSite({
    "/logo.png": (_request, response) => void arrival.promise.then(() => response.end(A_PIXEL)),
  });
  sites.push(site);
  const campaign = await aLogoCampaign(service);
  const { publisher, checkout } = campaign;
  const address = site.at("/logo.png").href;
  const { id } = await campaign.submit(address);
  const { page, context, expectProblems } = await openPage(service.origin);
  await context.addCookies(
    publisher.person.cookie.split("; ").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name, value: value.join("="), url: service.origin };
    }),
  );
  const buyer = pathOf(publisher, checkout);
  const reviewer = `/w/${publisher.workspace.id}/ads/${id}`;

  await page.goto(buyer);
  await page.getByText(`The image at ${address} is being copied.`).waitFor();
  expect(await page.locator(`img[src="${address}"]`).count()).toBe(0);
  await expectAccessible(page);
  await expectNoOverflow(page, 320);
  await page.goto(reviewer);
  await page.getByText("This image is being copied.", { exact: true }).waitFor();
  expect(await page.locator(`img[src="${address}"]`).count()).toBe(0);
  await page.getByRole("button", { name: "Approve" }).click();
  const refused = page.getByRole("alert").filter({ hasText: "Nothing was changed" });
  await refused.getByText(`Logo: The image at ${address} is being copied.`).waitFor();
  expectProblems(/status of 409/);
  await settled(page);
  await expectAccessible(page);
  await expectNoOverflow(page, 320);
  await expectInsideCards(page, 320);

  arrival.resolve();
  const shown = async () => {
    await page.reload();
    await settled(page);
    return await page.getByRole("img", { name: "Logo" }).count();
  };
  await expect.poll(shown, { interval: 500 }).toBeGreaterThan(0);
  expect(await page.getByText("This image is being copied.").count()).toBe(0);
  const stored = page.getByRole("link", { name: /^Open image/ });
  expect(await stored.getAttribute("href")).toMatch(/\/uploads\/ws_\w+\/\w+\.png$/);
  await page.goto(buyer);
  await page.locator("dd img.value-image").waitFor();
  expect(await page.getByText("is being copied").count()).toBe(0);
});
