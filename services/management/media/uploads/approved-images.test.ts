import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { invitation } from "#libs/contract/members.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";
import { aLogoCampaign } from "../../tests/upload-story.ts";

const service = await startManagement({ unlimited: true });
const { pool } = service.database;

type Campaign = Awaited<ReturnType<typeof aLogoCampaign>>;

/** Approves an ad of another buyer, with an image that was sent a moment ago. */
async function approveOne(campaign: Campaign): Promise<void> {
  const { caller, path } = campaign.publisher;
  const { publicUrl } = await campaign.upload();
  const { id } = await campaign.submit(publicUrl, await campaign.another());
  await caller.ok(ad, "POST", `${path}/ads/${id}/approve`);
}

it("checks approved images again without holding up anybody's mail, while their store does not answer", async () => {
  const campaign = await aLogoCampaign(service);
  const MORE_THAN_PLACES = 6;
  for (let ads = 0; ads < MORE_THAN_PLACES; ads += 1) await approveOne(campaign);
  const stuck = Promise.withResolvers<null>();
  const looks = vi.spyOn(service.services.uploads, "find").mockReturnValue(stuck.promise);
  onTestFinished(() => {
    stuck.resolve(null);
    vi.restoreAllMocks();
  });

  const { rowCount } = await pool.query(
    `update graphile_worker._private_jobs set run_at = now() from graphile_worker._private_tasks tasks
      where tasks.id = task_id and identifier = 'image'`,
  );
  await expect.poll(() => looks.mock.calls.length).toBe(1);
  const invited = { email: "new@example.com", role: "Viewer" };
  const { person, path } = await aPublisher(service);
  await person.caller.ok(invitation, "POST", `${path}/invitations`, invited);

  expect(rowCount).toBe(MORE_THAN_PLACES);
  await expect.poll(async () => (await service.readMails()).map(({ to }) => to)).toContain(invited.email);
  // The jobs of one owner take one place.
  expect(looks).toHaveBeenCalledTimes(1);
});
