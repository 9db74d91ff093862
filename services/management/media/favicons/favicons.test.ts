import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import { createFavicons } from "#libs/favicon/index.ts";
import { aPage } from "#libs/favicon/tests/find-at.ts";
import { anIco, aPng } from "#libs/favicon/tests/images.ts";
import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import { type Answers, aSite, type Site } from "#libs/guarded-fetch/tests/sites.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { sweep } from "../../worker/sweep.ts";
import { fetchFavicon } from "./fetch.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The sites that there are; every other address is away. */
const sites: { port: number }[] = [];
let passed = 0;
const service = await startManagement({
  unlimited: true,
  now: () => Date.now() + passed,
  favicons: createFavicons({
    contact: new URL("https://ads.example.com"),
    network: networkOf(sites),
    requestMs: 1_000,
  }),
});
const { db } = service.services;
const publisher = await aPublisher(service);
const { caller, person } = publisher;
const WITH_ICON: Answers = { "/": aPage('<link rel="icon" href="icon.png">'), "/icon.png": aPng() };

async function aSiteOfTheWeb(answers: Answers): Promise<Site> {
  const site = await aSite(answers);
  sites.push(site);
  return site;
}

/** An ad for the address, and what sends another creative for it. */
async function anAdFor(address: URL, owner = publisher) {
  const sold = await aTier(owner);
  const checkout = await aPaidCheckout(service, owner, sold.prices[0]?.id ?? "");
  const submit = (websiteUrl: URL) =>
    checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
      name: "Example Coffee",
      websiteUrl: websiteUrl.href,
    });
  const { id } = await submit(address);
  const path = `${owner.path}/ads/${id}`;
  return {
    id,
    path,
    submit,
    read: () => owner.caller.ok(ad, "GET", path),
    owner: { workspaceId: owner.workspace.id, adId: id },
  };
}

/** Waits until no search is due. */
async function settled(): Promise<void> {
  await vi.waitFor(async () => expect(await searches("run_at <= now()")).toEqual([]), 10_000);
}

/** The searches that are queued, those for later included. */
async function searches(condition = "true") {
  const { rows } = await sql<{ payload: unknown; minutes: number; attempts: number }>`
    select payload, round(extract(epoch from run_at - now()) / 60)::int as minutes, attempts
    from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = 'favicon' and ${sql.raw(condition)} order by jobs.id`.execute(db);
  return rows;
}

async function served(adId: string, workspaceId = publisher.workspace.id) {
  const snapshot = await service.placements.read(workspaceId);
  return snapshot?.ads.find(({ id }) => id === adId)?.faviconUrl;
}

it("shows the icon of an advertised site from our own address, to the publisher and in serving", async () => {
  const site = await aSiteOfTheWeb(WITH_ICON);

  const submitted = await anAdFor(site.at("/?utm_source=placard#top"));
  await settled();

  const { faviconUrl } = await submitted.read();
  expect(faviconUrl).toMatch(
    new RegExp(`^${service.origin}/uploads/${publisher.workspace.id}/[0-9a-f]{32}\\.png$`),
  );
  const file = await fetch(faviconUrl ?? "");
  expect([file.headers.get("content-type"), Buffer.from(await file.arrayBuffer())]).toEqual([
    "image/png",
    aPng(),
  ]);
  await caller.ok(ad, "POST", `${submitted.path}/approve`);
  await vi.waitFor(async () => expect(await served(submitted.id)).toBe(faviconUrl), 20_000);
  expect(site.requests.map(({ url }) => url)).toEqual(["/", "/icon.png"]);
});

it("has null where a site has no icon, and an empty text in serving", async () => {
  const site = await aSiteOfTheWeb({ "/": aPage("") });

  const submitted = await anAdFor(site.at("/"));
  await settled();

  expect((await submitted.read()).faviconUrl).toBeNull();
  await caller.ok(ad, "POST", `${submitted.path}/approve`);
  await vi.waitFor(async () => expect(await served(submitted.id)).toBe(""), 20_000);
  expect(site.requests.map(({ url }) => url)).toEqual(["/", "/favicon.ico"]);
});

it("shows none of the old site's once another site is submitted, and the new site's when it is found", async () => {
  const old = await aSiteOfTheWeb({ ...WITH_ICON, "/spring": aPage('<link rel="icon" href="/icon.png">') });
  const gate = Promise.withResolvers<void>();
  const other = await aSiteOfTheWeb({
    "/shop": (_request, response) => void gate.promise.then(() => response.end("no page")),
    "/favicon.ico": anIco(),
  });
  const submitted = await anAdFor(old.at("/"));
  await settled();
  const before = await submitted.read();

  await submitted.submit(old.at("/spring"));
  const sameSite = await submitted.read();
  await settled();
  await submitted.submit(other.at("/shop"));
  const otherSite = await submitted.read();
  gate.resolve();
  await settled();

  expect(before.faviconUrl).toMatch(/\.png$/);
  expect([sameSite.faviconUrl, otherSite.faviconUrl]).toEqual([before.faviconUrl, null]);
  expect((await submitted.read()).faviconUrl).toMatch(/\.ico$/);
});

it("keeps the approved creative's icon until a revision with another website is approved", async () => {
  const [site, revised] = [await aSiteOfTheWeb(WITH_ICON), await aSiteOfTheWeb({ "/favicon.ico": anIco() })];
  const running = await anAdFor(site.at("/"));
  await caller.ok(ad, "POST", `${running.path}/approve`);
  await settled();

  await running.submit(revised.at("/"));
  await settled();
  const proposed = await running.read();
  await caller.ok(ad, "POST", `${running.path}/revision/approve`);
  await settled();
  const approved = await running.read();

  expect(proposed.faviconUrl).toMatch(/\.png$/);
  expect(approved.faviconUrl).toMatch(/\.ico$/);
  await vi.waitFor(async () => expect(await served(running.id)).toBe(approved.faviconUrl), 20_000);
});

it("gives a workspace the icon of its website, when it is made and when that changes", async () => {
  const [site, moved] = [await aSiteOfTheWeb(WITH_ICON), await aSiteOfTheWeb({ "/favicon.ico": anIco() })];

  const made = await person.caller.ok(workspace, "POST", "/v1/workspaces", {
    name: "Iconic Weekly",
    websiteUrl: site.at("/").href,
  });
  const path = `/v1/workspaces/${made.id}`;
  const read = async () => {
    await settled();
    return (await person.caller.ok(workspace, "GET", path)).faviconUrl;
  };
  const first = await read();
  await person.caller.ok(workspace, "PATCH", path, { name: "Renamed Weekly" });
  const renamed = await read();
  const changed = await person.caller.ok(workspace, "PATCH", path, { websiteUrl: moved.at("/").href });
  const second = await read();
  const without = await person.caller.ok(workspace, "PATCH", path, { websiteUrl: null });

  expect([made.faviconUrl, first]).toEqual([null, expect.stringMatching(`/uploads/${made.id}/.*\\.png$`)]);
  expect([renamed, changed.faviconUrl]).toEqual([first, null]);
  expect([second, without.faviconUrl, await read()]).toEqual([expect.stringMatching(/\.ico$/), null, null]);
  expect(site.requests).toHaveLength(2);
});

it("asks a site once a day, for whatever ads and workspaces, and keeps a file for each workspace", async () => {
  const site = await aSiteOfTheWeb(WITH_ICON);
  const neighbour = await aPublisher(service, "Another Weekly");

  const mine = [await anAdFor(site.at("/?one", "daily.test")), await anAdFor(site.at("/?two", "daily.test"))];
  const theirs = await anAdFor(site.at("/", "daily.test"), neighbour);
  await settled();
  const asked = site.requests.length;
  passed += DAY_MS;
  await mine[0]?.submit(site.at("/", "daily.test"));
  await settled();

  const urls = await Promise.all(mine.map(async ({ read }) => (await read()).faviconUrl));
  expect(urls[0]).toMatch(/\.png$/);
  expect(urls[1]).toBe(urls[0]);
  expect((await theirs.read()).faviconUrl).toContain(neighbour.workspace.id);
  expect([asked, site.requests.length]).toEqual([2, 4]);
});

it("asks one host for five pages a day at most, and takes the icon of its root for the others", async () => {
  const site = await aSiteOfTheWeb({
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`/${n}`, aPage("")])),
    "/": aPage('<link rel="icon" href="/root.png">'),
    "/root.png": aPng(48),
  });
  const submitted = await anAdFor(site.at("/1", "crowded.test"));

  for (const n of [2, 3, 4, 5, 6, 7]) {
    await settled();
    await submitted.submit(site.at(`/${n}`, "crowded.test"));
  }
  await settled();

  const pages = site.requests.map(({ url }) => url).filter((url) => url !== "/favicon.ico");
  expect(pages).toEqual(["/1", "/2", "/3", "/4", "/5", "/", "/root.png"]);
  expect((await submitted.read()).faviconUrl).toMatch(/\.png$/);
});

it("asks a site that cannot be reached three times in all, each time later, and quietly", async () => {
  const away = new URL("http://away.test:1/");
  sites.push({ port: 1 });
  const submitted = await anAdFor(away);
  await settled();
  const search = { ...submitted.owner, attempt: 1 };
  const later = () => searches("run_at > now()").then((rows) => rows.filter(({ payload }) => isFor(payload)));
  const isFor = (payload: unknown) => JSON.stringify(payload).includes(submitted.id);

  const second = await later();
  passed += 60 * MINUTE_MS;
  await fetchFavicon(service.services, { ...search, attempt: 2 }, new AbortController().signal);
  const third = await later();
  passed += 360 * MINUTE_MS;
  await sql`delete from graphile_worker._private_jobs where key = ${`favicon:${submitted.id}`}`.execute(db);
  await fetchFavicon(service.services, { ...search, attempt: 3 }, new AbortController().signal);

  expect(second).toEqual([{ payload: { ...search, attempt: 2 }, minutes: 60, attempts: 0 }]);
  expect(third).toEqual([{ payload: { ...search, attempt: 3 }, minutes: 360, attempts: 0 }]);
  expect(await later()).toEqual([]);
  expect((await submitted.read()).faviconUrl).toBeNull();
});

it("leaves the icon that a site had while it cannot be reached", async () => {
  let isUp = true;
  const answers: Answers = {
    "/": (_request, response) => void response.writeHead(isUp ? 404 : 503).end(),
    "/favicon.ico": (_request, response) => void response.writeHead(isUp ? 200 : 503).end(anIco()),
  };
  const site = await aSiteOfTheWeb(answers);
  const submitted = await anAdFor(site.at("/"));
  await settled();
  const before = await submitted.read();

  isUp = false;
  passed += DAY_MS;
  await submitted.submit(site.at("/"));
  await settled();

  expect(before.faviconUrl).toMatch(/\.ico$/);
  expect((await submitted.read()).faviconUrl).toBe(before.faviconUrl);
  expect(site.requests.length).toBeGreaterThan(2);
});

it("does not write what it has found for a website that is another one by then", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = await aSiteOfTheWeb({
    "/": (_request, response) => void gate.promise.then(() => response.end()),
    "/favicon.ico": anIco(),
  });
  const submitted = await anAdFor(slow.at("/"));
  await expect.poll(() => slow.requests.length).toBe(1);

  await db
    .updateTable("ads")
    .set({ website_url: "http://elsewhere.test/" })
    .where("id", "=", submitted.id)
    .execute();
  gate.resolve();
  await settled();

  expect(slow.requests).toHaveLength(2);
  expect((await submitted.read()).faviconUrl).toBeNull();
});

it("leaves a search for the next process when this one stops, and counts no failure", async () => {
  let asked = 0;
  const site = await aSiteOfTheWeb({
    "/": (_request, response) => {
      asked += 1;
      if (asked > 1) response.end();
    },
    "/favicon.ico": anIco(),
  });
  const submitted = await anAdFor(new URL("http://nothing.test/"));
  await settled();
  await db
    .updateTable("ads")
    .set({ website_url: site.at("/").href })
    .where("id", "=", submitted.id)
    .execute();
  const stop = new AbortController();

  const stopped = fetchFavicon(service.services, { ...submitted.owner, attempt: 1 }, stop.signal);
  await expect.poll(() => asked).toBe(1);
  stop.abort(new Error("the process ends"));
  await expect(stopped).resolves.toBeUndefined();

  await vi.waitFor(async () => expect((await submitted.read()).faviconUrl).toMatch(/\.ico$/), 20_000);
  expect(asked).toBe(2);
});

it("has no icon where the store takes no file of its size", async () => {
  const site = await aSiteOfTheWeb(WITH_ICON);
  const submitted = await anAdFor(site.at("/"));
  await settled();
  const { uploads } = service.services;
  const small = {
    ...uploads,
    addressOf: async () => null,
    put: () => Promise.reject(new RangeError("too large")),
  };

  await fetchFavicon(
    { ...service.services, uploads: small },
    { ...submitted.owner, attempt: 1 },
    new AbortController().signal,
  );

  expect((await submitted.read()).faviconUrl).toBeNull();
});

it("forgets what it was told a day ago, and nothing younger", async () => {
  const at = (age: number) => new Date(service.services.now() - age);
  const rows = [
    { page: "http://old.test/", asked_at: at(DAY_MS + MINUTE_MS) },
    { page: "http://young.test/", asked_at: at(DAY_MS - MINUTE_MS) },
  ];
  await db
    .insertInto("favicon_lookups")
    .values(rows.map((row) => ({ ...row, host: "x.test", outcome: "none" as const })))
    .execute();

  await sweep(service.services);

  const left = await db.selectFrom("favicon_lookups").where("host", "=", "x.test").select("page").execute();
  expect(left).toEqual([{ page: "http://young.test/" }]);
});
