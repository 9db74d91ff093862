import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { runProgram } from "../../management/tests/operator-commands.ts";
import { startInstallation } from "./installation.ts";
import { aPublisherWithAds } from "./publisher.ts";
import { viewAds } from "./visitor.ts";

it("lets operators list, suspend and restore on a running product by its data folder alone", async () => {
  const dataDir = await aFolder();
  const installation = await startInstallation({ dataDir });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, 1);
  const { id, slug } = publisher.workspace;
  const operator = (...given: string[]) => runProgram("operator", { DATA_DIR: dataDir }, ...given);
  const shown = () => viewAds(installation.url, id);

  const listed = await operator("list");
  const suspended = await operator("suspend", slug);
  await expect.poll(shown, { interval: 10 }).toEqual([]);
  const refused = await publisher.caller.refused(403, "GET", publisher.path);
  const restored = await operator("restore", slug);
  await expect.poll(shown, { interval: 10 }).toEqual(adIds);
  await installation.stop();
  const afterwards = await operator("list");

  expect(listed).toMatchObject({ failed: false, stderr: "" });
  expect(listed.stdout).toContain(publisher.person.email);
  expect(listed.stdout).toContain(`${slug}  since `);
  expect(suspended).toMatchObject({ failed: false, stderr: "" });
  expect(refused.message).toContain("suspended");
  expect(restored.stdout).toBe(`Restored the workspace ${slug} (${id}).\n`);
  expect(afterwards).toMatchObject({ failed: true, stdout: "" });
  expect(afterwards.stderr).toContain(`The product is not running in the folder ${dataDir}: start it first`);
}, 300_000);
