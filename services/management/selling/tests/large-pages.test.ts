import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ behindProxy: true });
const publisher = await aPublisher(service);
const MANY_PRICES = Array.from({ length: 50 }, (_, index) => ({
  amount: 4900,
  interval: "Day",
  intervalCount: index + 1,
  currency: "usd",
}));

for (let n = 0; n < 20; n += 1) await aTier(publisher, { initialPrices: MANY_PRICES });

async function open(path: string, address: string) {
  const page = await fetch(`${service.origin}${path}`, { headers: { "x-forwarded-for": address } });
  return { status: page.status, length: (await page.text()).length };
}

it.each([
  ["an address", (_n: number) => "192.0.2.3"],
  ["a site with many networks", (n: number) => `2001:db8:1:${n + 1}::1`],
])("makes one large page of %s at a time, and those of others in between", async (_who, addressOf) => {
  const offer = `/advertise/${publisher.workspace.slug}`;
  let opened = 0;
  const many = Array.from({ length: 40 }, async (_, n) => {
    const { status } = await open(offer, addressOf(n));
    opened += 1;
    return status;
  });
  await Promise.race(many);

  const other = await open(offer, "192.0.2.4");
  const before = opened;

  expect(other.status).toBe(200);
  expect(before).toBeLessThan(20);
  expect(new Set(await Promise.all(many))).toEqual(new Set([200]));
});

it("sends an address 24 MiB of large pages a minute, and others theirs", async () => {
  const offer = `/advertise/${publisher.workspace.slug}`;
  const { length } = await open(offer, "192.0.2.9");
  const expected = Math.ceil((24 * 1024 * 1024) / length);

  let opened = 0;
  while ((await open(offer, "192.0.2.1")).status === 200) opened += 1;

  expect(opened).toBeLessThan(110);
  expect(Math.abs(opened - expected)).toBeLessThan(0.1 * expected);
  expect((await open(`${offer}/link`, "192.0.2.1")).status).toBe(429);
  expect((await open(offer, "192.0.2.2")).status).toBe(200);
});
