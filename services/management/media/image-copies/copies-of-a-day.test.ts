import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aTier } from "../../tests/story.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

const HOUR_MS = 60 * 60_000;
const asked: string[] = [];
const service = await startManagement({
  unlimited: true,
  images: {
    fetch: async ({ hostname }) => {
      asked.push(hostname);
      return { kind: "found", contentType: "image/png", bytes: A_PIXEL };
    },
  },
});
const { limits, uploads } = service.services;

/** A campaign, and its ad with the image, as its publisher reads it once that was tried. */
async function aCampaign() {
  const campaign = await aLogoCampaign(service);
  const { publisher } = campaign;
  const readImage = async (id: string) => {
    const { meta } = await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${id}`);
    return meta[0];
  };
  const tried = async (id: string) =>
    await vi.waitFor(async () => {
      const image = await readImage(id);
      expect(image?.copy?.status === "pending" && image.copy.problem === null).toBe(false);
      return image;
    }, 20_000);
  return { ...campaign, tried };
}

it("asks no site for a free ad beyond the copies of a day, waits for the next, and copies for those who have paid", async () => {
  const { publisher, submit, tried } = await aCampaign();
  const initialPrices = [{ amount: 0, intervalCount: 1, currency: "usd" }];
  const { prices } = await aTier(publisher, { name: "Free", initialPrices });
  const free = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const consume = limits.consume.bind(limits);
  vi.spyOn(limits, "consume").mockImplementation(async (rule, key) => ({
    ...(await consume(rule, key)),
    ...(rule.name === "copies-free" && { allowed: false, resetMs: 7 * HOUR_MS }),
  }));
  onTestFinished(() => void vi.restoreAllMocks());

  const ofFree = await submit("https://free.example.com/logo.png", free);
  const waiting = await tried(ofFree.id);
  const paid = await tried((await submit("https://paid.example.com/logo.png")).id);

  expect(asked).toEqual(["paid.example.com"]);
  expect(waiting?.copy).toEqual({
    status: "pending",
    problem: "The publisher's free ads have had their 1000 copies of the day.",
  });
  expect(paid?.value).toMatch(/\/uploads\/ws_/);
  const { images_elsewhere: elsewhere } = await service.database.db
    .selectFrom("ads")
    .where("id", "=", ofFree.id)
    .select("images_elsewhere")
    .executeTakeFirstOrThrow();
  const [image] = Object.values(elsewhere);
  expect(image?.attempts).toBe(0);
  expect(Date.parse(image?.dueAt ?? "") - Date.now()).toBeGreaterThan(6 * HOUR_MS);
});

it("does not write a file again that the workspace has", async () => {
  const { submit, tried } = await aCampaign();
  const put = vi.spyOn(uploads, "put");
  onTestFinished(() => put.mockRestore());

  const { id } = await submit("https://one.example.com/logo.png");
  const first = await tried(id);
  await submit("https://other.example.com/logo.png");
  const second = await tried(id);

  expect(second).toEqual(first);
  expect(asked.slice(-2)).toEqual(["one.example.com", "other.example.com"]);
  expect(put).toHaveBeenCalledTimes(1);
});
