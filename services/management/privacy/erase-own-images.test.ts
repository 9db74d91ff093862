import { expect, it } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { startManagement } from "../tests/management.ts";
import { aLogoCampaign } from "../tests/upload-story.ts";

const service = await startManagement({ unlimited: true });
const { services, database } = service;
const { pool } = database;

it("deletes a workspace that has a logo and an icon of its site, with both files", async () => {
  const campaign = await aLogoCampaign(service);
  const { person, caller, path, workspace } = campaign.publisher;
  const [logo, icon] = [await campaign.upload(), await campaign.upload()];
  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { mediaKit: { logoUrl: logo.publicUrl } });
  await pool.query("update workspaces set favicon_url = $2 where id = $1", [workspace.id, icon.publicUrl]);
  // Else the deletion waits until no file can arrive any more.
  await pool.query("update uploads set granted_at = now() - interval '1 hour' where workspace_id = $1", [
    workspace.id,
  ]);
  await pool.query(
    "update checkout_sessions set status = 'expired' where workspace_id = $1 and status = 'open'",
    [workspace.id],
  );

  await person.caller.request("DELETE", path, { name: workspace.name, refund: false });

  const isThere = async () =>
    (await pool.query("select from workspaces where id = $1", [workspace.id])).rowCount === 1;
  await expect.poll(isThere).toBe(false);
  expect(await services.uploads.find(logo.key)).toBeNull();
  expect(await services.uploads.find(icon.key)).toBeNull();
});
