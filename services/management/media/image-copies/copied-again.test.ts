import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../../tests/management.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

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
const { uploads } = service.services;

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
