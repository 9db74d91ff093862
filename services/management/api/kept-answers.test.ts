import { expect, it } from "vitest";
import { z } from "zod";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";
import { KEPT_BYTES } from "./idempotency/guard.ts";

const service = await startManagement({});
const { caller, workspace, path } = await aPublisher(service);

it("keeps a limited number of bytes of a workspace's answers, and does nothing twice beyond it", async () => {
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
  const kept = [await createTier("first"), await createTier("first")];
  const bytes = Buffer.byteLength(kept[0]?.text ?? "");
  // Leaves room for one more, and for no second one.
  await limits.consume(KEPT_BYTES, workspace.id, KEPT_BYTES.points - bytes - 2 * bytes + 1);
  const last = [await createTier("last"), await createTier("last")];
  const before = await tierCount();

  const further = [await createTier("further"), await createTier("further")];

  expect(kept.map(({ status }) => status)).toEqual([200, 200]);
  expect(kept[1]?.text).toBe(kept[0]?.text);
  expect(last.map(({ status }) => status)).toEqual([200, 200]);
  expect(further.map(({ status }) => status)).toEqual([200, 409]);
  expect(further[1]?.text).toContain("IDEMPOTENCY_ANSWER_NOT_KEPT");
  expect(await tierCount()).toBe(before + 1);
});
