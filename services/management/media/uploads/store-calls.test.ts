import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../../tests/management.ts";
import { aField } from "../../tests/story.ts";
import { aLogoCampaign, aPngOfSize } from "../../tests/upload-story.ts";

const MINUTE_MS = 60_000;
const NOT_UPLOADED = ["No image has been uploaded to this address."];
let passed = 0;
const service = await startManagement({ unlimited: true, now: () => Date.now() + passed });
const { uploads } = service.services;

/** Counts the calls of the store that look at files, from here on. */
function countLooks() {
  const spies = [vi.spyOn(uploads, "find"), vi.spyOn(uploads, "readStart")];
  onTestFinished(() => void vi.restoreAllMocks());
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

/** An ad that waits for its approval, with an image that has no pixels. */
async function anUnusableAd() {
  const campaign = await aLogoCampaign(service);
  const { publicUrl } = await campaign.upload(aPngOfSize(0, 1));
  const { id } = await campaign.submit(publicUrl);
  const { caller, path } = campaign.publisher;
  return (body = {}) => caller.refused(409, "POST", `${path}/ads/${id}/approve`, body);
}

it("looks for the first only of a submission's images that nobody has uploaded", async () => {
  const { publisher, checkout, logo, grant } = await aLogoCampaign(service);
  const others = [
    await aField(publisher, { name: "Second", type: "Image" }),
    await aField(publisher, { name: "Third", type: "Image" }),
  ];
  const { publicUrl } = await grant();
  const madeUp = (digit: number) => publicUrl.replace(/[0-9a-f]{32}/, String(digit).repeat(32));
  const looks = countLooks();

  const { data } = await checkout.caller.refused(422, "POST", `${checkout.path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [logo, ...others].map(({ id }, place) => ({ fieldId: id, value: madeUp(place) })),
  });

  expect(data?.fieldErrors).toEqual({ "meta.logo": NOT_UPLOADED });
  expect(looks()).toBe(1);
});

it("refuses an image that is removed as soon as it is found, and does not look again while rows are locked", async () => {
  const campaign = await aLogoCampaign(service);
  const { publicUrl, key } = await campaign.upload();
  const { find, readStart } = uploads;
  const looks = countLooks();
  const thenRemoved = async <T>(looking: Promise<T>): Promise<T> => {
    const found = await looking;
    await uploads.remove([key]);
    await service.database.db.deleteFrom("uploads").where("key", "=", key).execute();
    return found;
  };
  vi.mocked(uploads.find).mockImplementation((at) => thenRemoved(find(at)));
  vi.mocked(uploads.readStart).mockImplementation((at, maxBytes) => thenRemoved(readStart(at, maxBytes)));

  const { data } = await campaign.refuse(publicUrl);

  expect(data?.fieldErrors).toEqual({ "meta.logo": NOT_UPLOADED });
  expect(looks()).toBe(1);
});

it("looks at an image once for any number of approvals that are refused, and an hour later again", async () => {
  const approve = await anUnusableAd();
  passed += 10 * MINUTE_MS;
  const looks = countLooks();

  const problems = [];
  for (let time = 0; time < 3; time += 1) problems.push((await approve()).data?.fieldErrors?.["meta.logo"]);
  const soon = looks();
  passed += 61 * MINUTE_MS;
  await approve();

  expect(problems).toEqual(Array(3).fill(["The image has no pixels."]));
  expect([soon, looks()]).toEqual([1, 2]);
});

it("looks at no image for an approval of another version", async () => {
  const approve = await anUnusableAd();
  passed += 10 * MINUTE_MS;
  const looks = countLooks();

  const { data } = await approve({ version: 99 });

  expect(data?.reason).toBe("SUBMITTED_SINCE");
  expect(looks()).toBe(0);
});

it("removes an image that was replaced between the look at it and an approval after the end of its grant", async () => {
  const campaign = await aLogoCampaign(service);
  const { publicUrl, key } = await campaign.upload();
  passed += 5.5 * MINUTE_MS;
  const { id } = await campaign.submit(publicUrl);
  passed += 0.75 * MINUTE_MS;
  const file = await uploads.find(key);
  vi.spyOn(uploads, "find").mockResolvedValue(file === null ? null : { ...file, version: "replaced" });
  const removals = vi.spyOn(uploads, "remove");
  onTestFinished(() => void vi.restoreAllMocks());

  const { caller, path } = campaign.publisher;
  await caller.ok(ad, "POST", `${path}/ads/${id}/approve`);

  // The clock of the jobs is the database's.
  await service.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() from graphile_worker._private_tasks tasks
      where tasks.id = task_id and identifier = 'image'`,
  );
  await expect.poll(() => removals.mock.calls).toEqual([[[key]]]);
});
