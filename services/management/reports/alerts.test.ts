import { expect, it } from "vitest";
import { ad as adShape } from "#libs/contract/ad.ts";
import { correction } from "#libs/contract/corrections.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher, type Publisher } from "../tests/story.ts";
import { sendAlerts } from "./alerts.ts";
import { insertEvents } from "./tests/insert-events.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const HOUR_MS = 60 * 60_000;
/** More than 24 hours after the approvals of these tests. */
const LATER = Date.now() + 30 * HOUR_MS;

async function lookAt(now: number): Promise<void> {
  await sendAlerts({ ...service.services, now: () => now });
}

/** The alerts that the publisher has got, oldest first. */
async function alertsTo({ person }: Publisher) {
  const mails = await mailsTo(service, person.email);
  return mails.filter(({ subject }) => /no views|invalid traffic/.test(subject));
}

async function count(
  { workspace }: Publisher,
  adId: string,
  events: number,
  at: number,
  verdict: "valid" | "bot" = "valid",
): Promise<void> {
  const event = {
    workspaceId: workspace.id,
    adId,
    kind: "impression",
    verdict,
    occurredAt: at,
    source: "page",
    place: NO_PLACE,
  } as const;
  await insertEvents(
    service.services.stats,
    Array.from({ length: events }, () => event),
  );
}

it("tells the publisher once that nobody sees their ads, and again when it happens again", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const ad = await anApprovedAd(service, publisher);

  await lookAt(LATER);
  await lookAt(LATER + HOUR_MS);
  const [alert, ...more] = await alertsTo(publisher);

  expect(more).toEqual([]);
  expect(alert?.subject).toBe("Heron Weekly: no views for Example Coffee");
  expect(alert?.text).toContain("None of your live ads was seen in the last 24 hours.");

  await count(publisher, ad.id, 1, LATER + 2 * HOUR_MS);
  await lookAt(LATER + 2 * HOUR_MS);
  await lookAt(LATER + 27 * HOUR_MS);

  expect(await alertsTo(publisher)).toHaveLength(2);
});

it("tells nothing of an ad that has not been live for long, and of none that has views or is off the air", async () => {
  const publisher = await aPublisher(service, "Young Weekly");
  const seen = await anApprovedAd(service, publisher);
  const off = await anApprovedAd(service, publisher);
  await publisher.caller.ok(adShape, "POST", `${off.path}/reject`, { note: "Not for our readers." });

  await lookAt(Date.now() + 23 * HOUR_MS);
  await count(publisher, seen.id, 1, LATER - 23 * HOUR_MS);
  await lookAt(LATER);

  expect(await alertsTo(publisher)).toEqual([]);
});

it("tells of an ad with much invalid traffic, and of one without views beside it", async () => {
  const publisher = await aPublisher(service, "Two Weekly");
  const robots = await anApprovedAd(service, publisher);
  await anApprovedAd(service, publisher);
  await count(publisher, robots.id, 100, LATER - HOUR_MS);
  await count(publisher, robots.id, 100, LATER - HOUR_MS, "bot");

  await lookAt(LATER);

  const [alert] = await alertsTo(publisher);
  expect(alert?.subject).toBe("Two Weekly: no views or invalid traffic for Example Coffee and 1 more");
  expect(alert?.text).toContain("Live, but without a view in the last 24 hours.");
  expect(alert?.text).toContain("At least 50% of the traffic of these ads");
});

it("looks at what the publisher has chosen, and tells nothing once they turn it off", async () => {
  const publisher = await aPublisher(service, "Choosing Weekly");
  const muted = await aPublisher(service, "Muted Weekly");
  await anApprovedAd(service, publisher);
  await anApprovedAd(service, muted);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    alerts: { hours: 48 },
  });
  await muted.caller.ok(workspaceSettings, "PATCH", `${muted.path}/settings`, { mails: { adAlert: false } });

  await lookAt(LATER);
  expect(await alertsTo(publisher)).toEqual([]);
  await lookAt(Date.now() + 49 * HOUR_MS);

  expect((await alertsTo(publisher)).map(({ text }) => text.includes("in the last 48 hours"))).toEqual([
    true,
  ]);
  expect(await alertsTo(muted)).toEqual([]);
});

it("judges ads by visits as they came, whatever the publisher corrects", async () => {
  const publisher = await aPublisher(service, "Correcting Weekly");
  const many = await anApprovedAd(service, publisher);
  const few = await anApprovedAd(service, publisher);
  const at = LATER - 12 * HOUR_MS;
  await count(publisher, many.id, 150, at);
  await count(publisher, few.id, 60, at);
  const [from, to] = [at - 24 * HOUR_MS, at + 24 * HOUR_MS].map((day) =>
    new Date(day).toISOString().slice(0, 10),
  );
  for (const { path } of [many, few])
    await publisher.caller.ok(correction, "POST", `${path}/corrections`, { from, to, reason: "A crawler." });

  await lookAt(LATER);

  expect(await alertsTo(publisher)).toEqual([]);
});

it("tells of an ad again whose alert becomes another, and nothing of one past its end or of a suspended workspace", async () => {
  const publisher = await aPublisher(service, "Changing Weekly");
  const suspended = await aPublisher(service, "Suspended Weekly");
  const ad = await anApprovedAd(service, publisher);
  await anApprovedAd(service, suspended);
  await service.database.pool.query("update workspaces set suspended_at = now() where id = $1", [
    suspended.workspace.id,
  ]);

  await lookAt(LATER);
  await count(publisher, ad.id, 200, LATER, "bot");
  await lookAt(LATER + HOUR_MS);
  await service.database.pool.query("update ads set serving_until = $2 where id = $1", [
    ad.id,
    new Date(LATER),
  ]);
  await lookAt(LATER + 30 * HOUR_MS);

  expect((await alertsTo(publisher)).map(({ subject }) => subject)).toEqual([
    "Changing Weekly: no views for Example Coffee",
    "Changing Weekly: much invalid traffic for Example Coffee",
  ]);
  expect(await alertsTo(suspended)).toEqual([]);
});
