import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";
import { aLogoCampaign } from "../../tests/upload-story.ts";

/** The reservations of a workspace that a process has: the one at work and those that wait. */
const MOST = 65;
const service = await startManagement({ unlimited: true, uploadQuotaBytes: 1024 * 1024 });
const { db } = service.database;

type Buyer = Awaited<ReturnType<typeof aLogoCampaign>>["checkout"];

async function ask({ caller, path }: Pick<Buyer, "caller" | "path">, contentLength = 10) {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  return await caller.request("POST", `${path}/uploads`, body);
}

it("answers others while grants of a workspace wait for their turn, and 503 what would wait too long", async () => {
  const { checkout, publisher } = await aLogoCampaign(service);
  const other = await aPublisher(service);
  const statuses: number[] = [];

  const answers = await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("workspaces")
      .where("id", "=", publisher.workspace.id)
      .select("id")
      .forNoKeyUpdate()
      .execute();
    const asked = Array.from({ length: MOST + 5 }, async () => {
      const answer = await ask(checkout);
      statuses.push(answer.status);
      return answer;
    });
    await expect.poll(() => statuses, { timeout: 10_000 }).toHaveLength(5);
    expect((await other.caller.request("GET", `${other.path}/tiers`)).status).toBe(200);
    return { asked };
  });
  const all = await Promise.all(answers.asked);

  const refused = all.filter(({ status }) => status === 503);
  expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(Array(5).fill("1"));
  expect(all.filter(({ status }) => [200, 409].includes(status))).toHaveLength(MOST);
});

it("sums the files of a workspace once for a grant, and once for a refusal", async () => {
  const { publisher, checkout } = await aLogoCampaign(service);
  await ask(publisher, 900_000);
  const spy = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => void spy.mockRestore());

  const answers = [await ask(publisher), await ask(checkout)];

  const sums = spy.mock.calls.filter(([query]) => JSON.stringify(query).includes("sum(greatest"));
  expect([answers.map(({ status }) => status), sums.length]).toEqual([[200, 409], 2]);
});
