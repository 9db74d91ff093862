import { expect, it } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { startManagement } from "../tests/management.ts";
import { A_PIXEL, aLogoCampaign } from "../tests/upload-story.ts";
import { sweep } from "../worker/sweep.ts";

const service = await startManagement({ unlimited: true });
const { services, database } = service;
const { pool } = database;

/** Else a deletion waits until no file can arrive any more. */
async function forgetGrants(workspaceId: string): Promise<void> {
  await pool.query("update uploads set granted_at = now() - interval '1 hour' where workspace_id = $1", [
    workspaceId,
  ]);
}

const isThere = async (id: string) =>
  (await pool.query("select from workspaces where id = $1", [id])).rowCount === 1;

it("deletes a workspace that has a logo and an icon of its site, with both files", async () => {
  const campaign = await aLogoCampaign(service);
  const { person, caller, path, workspace } = campaign.publisher;
  const [logo, icon] = [await campaign.upload(), await campaign.upload()];
  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { mediaKit: { logoUrl: logo.publicUrl } });
  await pool.query("update workspaces set favicon_url = $2 where id = $1", [workspace.id, icon.publicUrl]);
  await forgetGrants(workspace.id);

  await person.caller.request("DELETE", path, { name: workspace.name, refund: false });

  await expect.poll(() => isThere(workspace.id)).toBe(false);
  expect(await services.uploads.find(logo.key)).toBeNull();
  expect(await services.uploads.find(icon.key)).toBeNull();
});

it("lets no advertiser keep a workspace from being deleted by sending files or ads", async () => {
  const campaign = await aLogoCampaign(service);
  const { person, path, workspace } = campaign.publisher;
  await campaign.grant();
  await person.caller.request("DELETE", path, { name: workspace.name, refund: false });
  await forgetGrants(workspace.id);

  await campaign.checkout.caller.refused(404, "POST", `${campaign.checkout.path}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: A_PIXEL.length,
  });

  await campaign.checkout.caller.refused(404, "POST", `${campaign.checkout.path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [],
  });

  await sweep(services);
  await expect.poll(() => isThere(workspace.id)).toBe(false);
});
