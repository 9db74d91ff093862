import { expect, it } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";

const service = await startManagement();
const publisher = await aPublisher(service);
const advertiser = new ApiCaller(service.origin);

it("starts at most 20 checkouts per minute and address, including bad requests", async () => {
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => advertiser.request("POST", `${publisher.path}/checkout-sessions`, {})),
  );

  expect(answers.filter(({ status }) => status === 422)).toHaveLength(20);
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(5);
  for (const { headers, text } of limited) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(text)).toMatchObject({ defined: true, code: "TOO_MANY_REQUESTS" });
  }
});

it("accepts at most 60 submissions and grants, and 120 reads, per minute and address", async () => {
  const path = "/v1/checkout-sessions/cs_test_0000000000000000";

  const answers = await Promise.all([
    ...Array.from({ length: 125 }, () => advertiser.request("GET", path)),
    ...Array.from({ length: 35 }, () => advertiser.request("POST", `${path}/ad`, {})),
    ...Array.from({ length: 35 }, () => advertiser.request("POST", `${path}/uploads`, {})),
  ]);

  const limited = answers.map(({ status }) => status === 429);
  expect(limited.slice(0, 125).filter(Boolean)).toHaveLength(5);
  expect(limited.slice(125).filter(Boolean)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 404 || status === 422)).toHaveLength(180);
});
