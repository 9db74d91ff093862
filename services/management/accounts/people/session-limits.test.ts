import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPerson } from "../../tests/story.ts";

const service = await startManagement();
const PER_MINUTE = 600;
const AT_ONCE = 20;

it("takes 600 requests a minute of one person in all their sessions, says how many are left, then answers 429", async () => {
  const person = await aPerson(service);
  const neighbour = await aPerson(service);
  const ask = (caller = person.caller) => caller.request("GET", "/v1/workspaces");

  const answers = [];
  while (answers.length <= PER_MINUTE) {
    answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => ask()))));
  }
  const other = await ask(neighbour.caller);

  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PER_MINUTE);
  expect(refused.length).toBe(answers.length - PER_MINUTE);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(answers[0]?.headers.get("ratelimit-limit")).toBe("600");
  expect(Number(refused[0]?.headers.get("ratelimit-remaining"))).toBe(0);
  expect([other.status, other.headers.get("ratelimit-remaining")]).toEqual([200, "599"]);
});
