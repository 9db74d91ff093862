import { expect, it } from "vitest";
import { startManagement } from "../tests/management.ts";
import { aField, aMember, aPublisher } from "../tests/story.ts";

/** What one person has at work; three have as many as there are connections. */
const AT_ONCE = 8;
const service = await startManagement({ unlimited: true, hasJobs: false });

it("answers others while the members of a workspace wait for one of its rows", async () => {
  const publisher = await aPublisher(service);
  const members = [
    await aMember(service, publisher, "Manager"),
    await aMember(service, publisher, "Manager"),
  ];
  const callers = [publisher, ...members].map(({ caller }) => caller);
  const other = await aPublisher(service);

  const { asked, looks } = await service.database.db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("workspaces")
      .where("id", "=", publisher.workspace.id)
      .select("id")
      .forNoKeyUpdate()
      .execute();
    const asked = callers.flatMap((caller, one) =>
      Array.from({ length: AT_ONCE }, (_, index) =>
        aField({ ...publisher, caller }, { name: `Story ${one} ${index}` }),
      ),
    );
    const looks: number[] = [];
    // One after the other, until those have come as far as they come.
    while (looks.length < 50) looks.push((await other.caller.request("GET", `${other.path}/tiers`)).status);
    return { asked, looks };
  });

  expect(new Set(looks)).toEqual(new Set([200]));
  expect(await Promise.all(asked)).toHaveLength(callers.length * AT_ONCE);
});
