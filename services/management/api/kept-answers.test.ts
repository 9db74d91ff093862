import { expect, it } from "vitest";
import { z } from "zod";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";
import { LONG_ANSWERS } from "./idempotency/guard.ts";

const service = await startManagement({});
const { caller, workspace, path } = await aPublisher(service);

it("keeps no more than so many long answers of a workspace, and does nothing twice for it", async () => {
  const { limits } = service.services;
  const body = {
    name: "Gold",
    weight: 3,
    initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }],
  };
  const createTier = (key: string, sent: unknown = body) =>
    caller.request("POST", `${path}/tiers`, sent, { "idempotency-key": key });
  const tierCount = async () => {
    const { text } = await caller.request("GET", `${path}/tiers`);
    return z.object({ total: z.number() }).parse(JSON.parse(text)).total;
  };
  const long = { ...body, description: "字".repeat(2_000) };
  const kept = [await createTier("long-1", long), await createTier("long-1", long)];
  for (let count = 1; count < LONG_ANSWERS.points; count += 1) {
    await limits.consume(LONG_ANSWERS, workspace.id);
  }
  const before = await tierCount();

  const further = [await createTier("long-2", long), await createTier("long-2", long)];
  const short = [await createTier("short"), await createTier("short")];

  expect(kept.map(({ status }) => status)).toEqual([200, 200]);
  expect(kept[1]?.text).toBe(kept[0]?.text);
  expect(further.map(({ status }) => status)).toEqual([200, 409]);
  expect(further[1]?.text).toContain("IDEMPOTENCY_ANSWER_NOT_KEPT");
  expect(short.map(({ status }) => status)).toEqual([200, 200]);
  expect(await tierCount()).toBe(before + 2);
});
