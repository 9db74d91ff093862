import { afterEach, describe, expect, it, vi } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const TARGET = "https://northwind.example/?utm_source=weekly";

const running = anAd({ clickUrl: TARGET });
const ended = anAd({ clickUrl: TARGET, servingUntil: NOON - 3_600_000 });
const unapproved = anAd({ clickUrl: null, servingSince: null });
const snapshot = aSnapshot({ ads: [running, ended, unapproved] });

let rig: ServingRig;
afterEach(() => rig.close());

async function open(options: RigOptions = {}): Promise<void> {
  rig = await openRig({ snapshots: [snapshot], now: () => NOON, ...options });
}

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`${rig.url}/ads/${path}`, {
    redirect: "manual",
    ...init,
    headers: { "user-agent": FIREFOX, ...init.headers },
  });
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get("location"),
    body,
  };
}

const stored = async () =>
  (await rig.storedEvents()).map(({ ad_id, kind, verdict }) => [ad_id, kind, verdict]);

describe("a click without script", () => {
  it("leads to the approved address once it is recorded", async () => {
    await open();

    const answer = await ask(`${running.id}/click`);

    expect([answer.status, answer.location]).toEqual([302, TARGET]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(await stored()).toEqual([[running.id, "click", "valid"]]);
  });

  it("still leads there when the ad is off the air, and does not count", async () => {
    await open();

    expect((await ask(`${ended.id}/click`)).location).toBe(TARGET);
    expect(await stored()).toEqual([[ended.id, "click", "not_serving"]]);
  });

  it.each([
    ["one that is not approved", unapproved.id],
    ["one that does not exist", newId("ad")],
    ["no id", "nonsense"],
  ])("shows a person who clicks on %s a page", async (_name, adId) => {
    await open();

    const answer = await ask(`${adId}/click`);

    expect([answer.status, answer.location]).toEqual([404, null]);
    expect(answer.body.toString()).toContain("This ad is no longer here");
    expect(await stored()).toEqual([]);
  });

  it("leads there also when nothing can be recorded", async () => {
    await open();
    await rig.log.close();

    expect((await ask(`${running.id}/click`)).location).toBe(TARGET);
  });

  it("leads there when recording takes long, and is recorded all the same", async () => {
    await open();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const append = rig.log.append.bind(rig.log);
    vi.spyOn(rig.log, "append").mockImplementation(async (batch) => {
      await held;
      await append(batch);
    });

    const answer = await ask(`${running.id}/click`);
    release();

    expect(answer.location).toBe(TARGET);
    await expect.poll(stored, { timeout: 20_000 }).toEqual([[running.id, "click", "valid"]]);
  });

  it("says when it cannot tell where a link leads", async () => {
    await open({ snapshots: [] });
    rig.source.isAway = true;

    const answer = await ask(`${running.id}/click`);

    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(answer.body.toString()).toContain("Please try again");
  });

  it("records and counts nothing for who only asks where it leads", async () => {
    await open();

    const answer = await ask(`${running.id}/click`, { method: "HEAD" });
    const unknown = await ask(`${newId("ad")}/click`, { method: "HEAD" });

    expect([answer.status, answer.location, unknown.status]).toEqual([302, TARGET, 404]);
    expect(await stored()).toEqual([]);
    expect(await rig.registry.metrics()).not.toMatch(/^placard_tracking_refused_total.* [1-9]/m);
  });

  it("does not count when a browser follows it ahead of need", async () => {
    await open();

    await ask(`${running.id}/click`, { headers: { "sec-purpose": "prefetch;prerender" } });

    expect(await stored()).toEqual([[running.id, "click", "prefetch"]]);
  });

  it("leads there over the limit of an address, without recording it", async () => {
    await open({ limits: { clicksPerMinute: 1 } });

    const answers = [await ask(`${running.id}/click`), await ask(`${running.id}/click`)];

    expect(answers.map(({ status, location }) => [status, location])).toEqual(
      answers.map(() => [302, TARGET]),
    );
    expect(await stored()).toEqual([[running.id, "click", "valid"]]);
  });
});

describe("an impression without script", () => {
  it("is an image that is never cached, sent once it is recorded", async () => {
    await open();

    const answer = await ask(`${running.id}/impression.gif`);

    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(answer.body.subarray(0, 10).toString("latin1")).toBe("GIF89a\u0001\0\u0001\0");
    expect(await stored()).toEqual([[running.id, "impression", "valid"]]);
  });

  it("is an image also where nothing is recorded, and its status says so", async () => {
    await open();
    const unknown = await ask(`${newId("ad")}/impression.gif`);
    await rig.log.close();
    const refused = await ask(`${running.id}/impression.gif`);

    expect([unknown.status, refused.status]).toEqual([404, 503]);
    for (const { body } of [unknown, refused]) expect(body.subarray(0, 6).toString()).toBe("GIF89a");
  });

  it("records and counts nothing for who only asks what it is", async () => {
    await open();

    const known = await ask(`${running.id}/impression.gif`, { method: "HEAD" });
    const unknown = await ask(`${newId("ad")}/impression.gif`, { method: "HEAD" });

    expect([known.status, known.body.length, unknown.status]).toEqual([200, 0, 404]);
    expect(await stored()).toEqual([]);
    expect(await rig.registry.metrics()).not.toMatch(/^placard_tracking_refused_total.* [1-9]/m);
  });

  it.each([
    { range: "bytes=0-3" },
    { "if-none-match": "*", "if-modified-since": "Sat, 21 Nov 2026 12:00:00 GMT" },
    { "cache-control": "only-if-cached, max-stale" },
  ])("is whole and new, whatever part or copy of it is asked for: %j", async (headers) => {
    await open();

    const { status, body, headers: sent } = await ask(`${running.id}/impression.gif`, { headers });

    expect([status, body.length, sent.get("content-length")]).toEqual([200, 42, "42"]);
    expect([sent.get("etag"), sent.get("last-modified"), sent.get("content-range")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await stored()).toEqual([[running.id, "impression", "valid"]]);
  });

  it("is one event with those of a mail program that asks again", async () => {
    await open({ limits: { impressionWindowMs: 10_000 } });

    await Promise.all(Array.from({ length: 3 }, () => ask(`${running.id}/impression.gif`)));

    expect((await stored()).map(([, , verdict]) => verdict)).toEqual(["valid", "duplicate", "duplicate"]);
  });

  it("is one event with the script's of the same visitor", async () => {
    await open({ limits: { impressionWindowMs: 10_000 } });

    await ask(`${running.id}/impression.gif`);
    await ask(`${running.id}/impressions`, { method: "POST" });

    expect((await stored()).map(([, , verdict]) => verdict)).toEqual(["valid", "duplicate"]);
  });

  it.each([
    ["Yahoo's proxy", "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", "prefetch"],
    ["a messenger's preview", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "bot"],
    ["Outlook, which a person reads with", "Mozilla/4.0 (compatible; ms-office; MSOffice 16)", "valid"],
  ])("of %s has a verdict of its own", async (_name, userAgent, verdict) => {
    await open();

    await ask(`${running.id}/impression.gif`, { headers: { "user-agent": userAgent } });
    await ask(`${running.id}/click`, { headers: { "user-agent": userAgent } });

    expect(await stored()).toEqual([
      [running.id, "impression", verdict],
      [running.id, "click", verdict],
    ]);
  });
});
