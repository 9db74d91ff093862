import { expect, it } from "vitest";
import { adInList } from "#libs/contract/ad.ts";
import { pageOf } from "#libs/contract/query.ts";
import { encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";

const DAY = 86_400_000;
const service = await startManagement({ unlimited: true, stats: "real" });
const away = await startManagement({ unlimited: true, stats: "away", beside: service });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const few = await anApprovedAd(service, publisher);
const many = await anApprovedAd(service, publisher);
const once = await anApprovedAd(service, publisher);
const none = await anApprovedAd(service, publisher);

async function happened(adId: string, impressions: number, clicks: number, daysAgo = 0): Promise<void> {
  const rows = Array.from({ length: impressions + clicks }, (_, n) =>
    Buffer.from(
      encodeEventRow({
        id: newId("event"),
        workspaceId: publisher.workspace.id,
        adId,
        kind: n < impressions ? "impression" : "click",
        verdict: "valid",
        visitor: String(n).padStart(16, "0"),
        occurredAt: Date.now() - daysAgo * DAY,
        source: "page",
        place: NO_PLACE,
      }),
    ),
  );
  await service.services.stats.insertRange({ token: crypto.randomUUID(), rows });
}

await happened(few.id, 2, 2);
await happened(many.id, 9, 1);
await happened(once.id, 50, 20, 40);

async function listed(query: string, at = caller) {
  const { items } = await at.ok(pageOf(adInList), "GET", `${path}/ads?${query}`);
  return items.map(({ id, last30Days }) => ({ id, last30Days }));
}

it("shows each ad's impressions and clicks of the last 30 days where they are asked for", async () => {
  expect(await listed("stats=last30Days&sort=oldest")).toEqual([
    { id: few.id, last30Days: { impressions: 2, clicks: 2 } },
    { id: many.id, last30Days: { impressions: 9, clicks: 1 } },
    { id: once.id, last30Days: { impressions: 0, clicks: 0 } },
    { id: none.id, last30Days: { impressions: 0, clicks: 0 } },
  ]);
  expect(await listed("sort=oldest")).toEqual(
    [few, many, once, none].map(({ id }) => ({ id, last30Days: undefined })),
  );
});

it.each([
  ["impressions", [many, few, none, once]],
  ["clicks", [few, many, none, once]],
  ["ctr", [few, many, none, once]],
] as const)(
  "sorts ads by %s of the last 30 days, the newest first among those without any",
  async (sort, ads) => {
    const whole = await listed(`sort=${sort}`);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(...(await listed(`sort=${sort}&perPage=1&page=${page}`)));

    expect(whole.map(({ id }) => id)).toEqual(ads.map(({ id }) => id));
    expect(pages).toEqual(whole);
    expect(whole[0]?.last30Days?.impressions).toBeGreaterThan(0);
  },
);

it("lists ads all the same while the stats store is away, without counts and the newest first", async () => {
  for (const query of ["sort=impressions", "stats=last30Days"]) {
    const answer = await fetch(`${away.origin}${path}/ads?${query}`, {
      headers: { authorization: `Bearer ${publisher.key.key}` },
    });

    const { items } = pageOf(adInList).parse(await answer.json());
    expect(items.map(({ id, last30Days }) => ({ id, last30Days }))).toEqual(
      [none, once, many, few].map(({ id }) => ({ id, last30Days: null })),
    );
  }
});
