import { expect, it } from "vitest";
import { z } from "zod";
import { startManagement } from "../tests/management.ts";
import { runProgram } from "../tests/operator-commands.ts";
import { anApprovedAd, aPerson, aPublisher } from "../tests/story.ts";
import { tablesWith } from "../tests/traces.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { pool, url } = { pool: service.database.pool, url: service.database.url };

/** As on a split installation, where the command finds the database by its address. */
function operator(...given: string[]) {
  return runProgram("operator", { DATABASE_URL: url }, ...given);
}

it("deletes a person, and asks to be told so", async () => {
  const person = await aPerson(service, "Zebulon Quagga");

  const asked = await operator("delete", person.email);
  const before = await tablesWith(service, person.email);
  const done = await operator("delete", person.email, "--yes");

  expect(asked).toMatchObject({ failed: true, stderr: expect.stringContaining("add --yes") });
  expect(before).toContain("public.people");
  expect(done).toMatchObject({ failed: false, stdout: expect.stringContaining("Deleted the person") });
  expect(await tablesWith(service, "Zebulon Quagga")).toEqual([]);
  expect((await person.caller.request("GET", "/v1/workspaces")).status).toBe(401);
  const { rowCount } = await pool.query("select from audit_log where action = 'person.delete'");
  expect(rowCount).toBe(1);
});

it("deletes a workspace once it is decided what becomes of its payments, which the running product finishes", async () => {
  const publisher = await aPublisher(service, "Former Weekly");
  await anApprovedAd(service, publisher);

  const owned = await operator("delete", publisher.person.email, "--yes");
  const undecided = await operator("delete", publisher.workspace.slug, "--yes");
  const misspelt = await operator("delete", publisher.workspace.slug, "--yes", "--refnd");
  const { failed } = await operator("delete", publisher.workspace.slug, "--yes", "--no-refund");

  for (const { exitCode, stderr } of [undecided, misspelt]) {
    expect(exitCode).toBe(1);
    expect(stderr).toContain("add --refund or --no-refund after --yes.");
  }
  expect(owned.stderr).toContain('is the only Owner of "Former Weekly"');
  expect(failed).toBe(false);
  await expect.poll(async () => await tablesWith(service, "Former Weekly"), { timeout: 30_000 }).toEqual([]);
});

it("lists a workspace that is being deleted as such", async () => {
  const publisher = await aPublisher(service, "Vanishing Weekly");
  await pool.query("update workspaces set erasing_since = '2026-11-22' where id = $1", [
    publisher.workspace.id,
  ]);

  const { stdout } = await operator("list", publisher.workspace.slug);

  expect(stdout).toContain("BEING DELETED since 2026-11-2");
});

it("names a command that there is not, and those that there are", async () => {
  const { exitCode, stderr } = await operator("remove");

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^There is no command "remove"\. The commands:\n\nnpm run operate -- list/);
});

it("exports a person and a workspace as JSON", async () => {
  const publisher = await aPublisher(service, "Exported Weekly");

  const [person, workspace] = await Promise.all([
    operator("export", publisher.person.email),
    operator("export", publisher.workspace.slug),
  ]);

  const shape = z.object({ tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))) });
  expect(shape.parse(JSON.parse(person.stdout)).tables.people).toMatchObject([
    { email: publisher.person.email },
  ]);
  expect(shape.parse(JSON.parse(workspace.stdout)).tables.workspaces).toMatchObject([
    { id: publisher.workspace.id },
  ]);
});
