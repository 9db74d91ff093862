import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { runProgram } from "../../tests/operator-commands.ts";
import { isSignedIn, sendPassword, switchTwoFactorOn } from "../../tests/signing-in.ts";
import { aPerson, aPublisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });

function switchOff(named: string) {
  return runProgram("operator", { DATABASE_URL: service.database.url }, "two-factor-off", named);
}

it("lets the operator switch two-factor sign-in off for a person, and writes it to the audit log", async () => {
  const person = await switchTwoFactorOn(service, await aPerson(service));

  const { stdout } = await switchOff(person.email);

  const { cookie } = await sendPassword(service, person.email);
  const { rows } = await service.database.pool.query(
    "select a.actor_kind from audit_log a join people p on p.id = a.resource_id where p.email = $1 and action = 'person.two-factor-off'",
    [person.email],
  );
  expect(stdout).toContain(`Switched two-factor sign-in off for the person ${person.email}`);
  expect(await isSignedIn(service, cookie)).toBe(true);
  expect(rows).toEqual([{ actor_kind: "operator" }]);
});

it("says so and changes nothing for somebody without a second factor, and for a workspace", async () => {
  const publisher = await aPublisher(service);

  const without = await switchOff(publisher.person.email);
  const workspace = await switchOff(publisher.workspace.slug);

  expect([without.failed, workspace.failed]).toEqual([true, true]);
  expect(without.stderr).toContain("does not use two-factor sign-in");
  expect(workspace.stderr).toContain("is a workspace. Name a person.");
});
