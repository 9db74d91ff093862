import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div id="slot" data-placard="ws_1"></div>';

/** The page's clock stands still but for `runFor`; what is in view is measured in real time all the same. */
async function stopClock({ page }: { page: Page }): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
}

/** Until the browser has said how much of each ad is in view: it does so once a frame, before the next two. */
async function settle(page: Page): Promise<void> {
  await page.screenshot();
  await page.screenshot();
}

async function filled(page: Page): Promise<void> {
  await page.locator("[data-placard-state=filled]").first().waitFor({ state: "attached" });
}

/** A second in view, and the one in which what is seen is gathered. */
const SEEN_AND_SENT_MS = 2_000;

it("reports an impression once the ad has been in view for a second, and only once", async () => {
  const { page } = await rig.open(`${SLOT}${rig.tag}`, { before: stopClock });
  await filled(page);
  await settle(page);

  await page.clock.runFor(1_990);
  expect(rig.reported).toEqual([]);
  await page.clock.runFor(10);
  await expect.poll(() => rig.reported).toEqual([{ kind: "impressions", adId: "ad_example_coffee" }]);

  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  await page.clock.runFor(60_000);
  expect(rig.reported).toHaveLength(1);
});

it("reports none for an ad that less than half of is in view, and one when half is", async () => {
  const page = await openBelowTheFold();
  const { height } = await card(page);
  const scrolled = (share: number) => page.evaluate((top) => scrollTo(0, top), Math.ceil(height * share));

  await scrolled(0.4);
  await settle(page);
  await page.clock.runFor(5_000);
  expect(rig.reported).toEqual([]);

  await scrolled(0.6);
  await settle(page);
  await page.clock.runFor(SEEN_AND_SENT_MS);
  await expect.poll(() => rig.reported).toHaveLength(1);
});

it("restarts the second for an ad that leaves the view and comes back", async () => {
  const page = await openBelowTheFold();

  await page.evaluate(() => scrollTo(0, 400));
  await settle(page);
  await page.clock.runFor(800);
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  await page.evaluate(() => scrollTo(0, 400));
  await settle(page);
  await page.clock.runFor(800);
  expect(rig.reported).toEqual([]);
  await page.clock.runFor(200 + 1_000);

  await expect.poll(() => rig.reported).toHaveLength(1);
});

it.each([
  ["a hidden one", "display: none"],
  ["a transparent one", "opacity: 0"],
  ["an invisible one", "visibility: hidden"],
  ["one without height", "height: 0; overflow: hidden"],
])("reports none for %s, until it is shown", async (_case, style) => {
  const { page } = await rig.open(`<div id="around" style="${style}">${SLOT}</div>${rig.tag}`, {
    before: stopClock,
  });
  await filled(page);
  await settle(page);

  await page.clock.runFor(5_000);
  expect(rig.reported).toEqual([]);

  await page.evaluate(() => document.querySelector("#around")?.removeAttribute("style"));
  await settle(page);
  await page.clock.runFor(SEEN_AND_SENT_MS);
  await expect.poll(() => rig.reported).toHaveLength(1);
});

it("reports none while the page is in the background", async () => {
  const { page } = await rig.open(`${SLOT}${rig.tag}`, {
    before: async (opened) => {
      await stopClock(opened);
      await opened.page.addInitScript(() => {
        Object.defineProperty(document, "hidden", { configurable: true, value: true });
      });
    },
  });
  await filled(page);
  await settle(page);
  await page.clock.runFor(5_000);
  expect(rig.reported).toEqual([]);

  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.clock.runFor(SEEN_AND_SENT_MS);
  await expect.poll(() => rig.reported).toHaveLength(1);
});

it("reports an impression again where the service could not store it, three times at most", async () => {
  const { page, expectProblems } = await rig.open(`${SLOT}${rig.tag}`, { before: stopClock });
  await filled(page);
  await settle(page);
  rig.mood = 503;

  for (let second = 0; second < 30; second += 1) {
    await page.clock.runFor(1_000);
    await page.evaluate(() => fetch("/"));
  }

  await expect.poll(() => rig.reported).toHaveLength(3);
  expectProblems(/503/);
});

it("reports an impression without an answer again only while a second report of it is known as one", async () => {
  const { page } = await rig.open(`${SLOT}${rig.tag}`, { before: stopClock });
  await filled(page);
  await settle(page);
  rig.mood = "never";

  for (let second = 0; second < 40; second += 1) {
    await page.clock.runFor(1_000);
    await page.evaluate(() => fetch("/"));
  }

  expect(rig.reported).toHaveLength(2);
});

it("reports in one request the ads of a page that are seen within a second, without a preflight", async () => {
  const { page } = await rig.open(`${SLOT.repeat(3)}${rig.tag}`, { before: stopClock });
  await page.waitForFunction(() => document.querySelectorAll("[data-placard-state=filled]").length === 3);
  await settle(page);

  await page.clock.runFor(SEEN_AND_SENT_MS);

  await expect.poll(() => rig.reported).toHaveLength(3);
  expect(rig.requests).toEqual(["text/plain;charset=UTF-8"]);
  expect(new Set(rig.reported.map(({ adId }) => adId)).size).toBe(3);
});

it("reports again only those of a page that could not be stored", async () => {
  rig.untaken.add("ad_example_hosting");
  const { page } = await rig.open(`${SLOT.repeat(3)}${rig.tag}`, { before: stopClock });
  await page.waitForFunction(() => document.querySelectorAll("[data-placard-state=filled]").length === 3);
  await settle(page);

  await page.clock.runFor(SEEN_AND_SENT_MS);
  await expect.poll(() => rig.reported).toHaveLength(2);
  await page.evaluate(() => fetch("/"));
  await page.clock.runFor(SEEN_AND_SENT_MS);

  await expect.poll(() => rig.reported.map(({ adId }) => adId)).toContain("ad_example_hosting");
  expect(rig.reported).toHaveLength(3);
});

it("reports one by one to a service that takes no page at once", async () => {
  rig.takesPages = false;
  const { expectProblems } = await rig.open(`${SLOT.repeat(2)}${rig.tag}`);

  await expect.poll(() => rig.reported).toHaveLength(2);
  expect(rig.requests).toEqual([]);
  expectProblems(/404/);
});

it.each([
  ["by itself where the browser sends what is left of a page", true],
  ["by a beacon elsewhere", false],
])("reports what was seen when the page is left %s", async (_case, hasFetchLater) => {
  rig.addPage("/next", "<p>Next</p>");
  const { page } = await rig.open(`${SLOT.repeat(2)}${rig.tag}`, {
    before: async (opened) => {
      await stopClock(opened);
      if (!hasFetchLater) await opened.page.addInitScript("delete globalThis.fetchLater");
    },
  });
  await page.waitForFunction(() => document.querySelectorAll("[data-placard-state=filled]").length === 2);
  await settle(page);
  await page.clock.runFor(1_500);
  expect(rig.reported).toEqual([]);

  await page.goto("/next");

  await expect.poll(() => rig.reported).toHaveLength(2);
  expect(rig.requests).toHaveLength(1);
});

it("reports nothing again that the browser has sent, when the page comes back and shows another ad", async () => {
  const { page } = await rig.open(rig.tag, {
    before: async (opened) => {
      await stopClock(opened);
      await opened.page.addInitScript(keepLater);
    },
  });
  await page.evaluate(() => void window.placard?.trackImpression("ad_first"));
  await page.evaluate(() => dispatchEvent(new Event("later")));
  await page.evaluate(() => void window.placard?.trackImpression("ad_second"));
  await page.clock.runFor(SEEN_AND_SENT_MS);

  await expect.poll(() => rig.reported.map(({ adId }) => adId)).toEqual(["ad_first", "ad_second"]);
});

it.each([
  ["a click", (page: Page) => page.getByRole("link").click()],
  ["the middle button", (page: Page) => page.getByRole("link").click({ button: "middle" })],
  ["the keyboard", (page: Page) => page.getByRole("link").press("Enter")],
])(
  "reports %s by a beacon, and lets the link lead to the advertiser in a tab of its own",
  async (_case, follow) => {
    rig.ads = rig.ads.map((ad) => ({ ...ad, websiteUrl: `${rig.siteOrigin}/landing` }));
    rig.addPage("/landing", "<p>Landed</p>");
    const { page, context } = await rig.open(`${SLOT}${rig.tag}`);
    const beacon = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith("/clicks"));
    const opening = context.waitForEvent("page");

    await follow(page);

    const [request, landing] = await Promise.all([beacon, opening]);
    expect(request.resourceType()).toBe("ping");
    await landing.getByText("Landed").waitFor();
    expect(await landing.evaluate(() => opener)).toBeNull();
    expect(page.url()).toBe(`${rig.siteOrigin}/`);
    await expect.poll(() => rig.reported.filter(({ kind }) => kind === "clicks")).toHaveLength(1);
  },
);

it("sends no cookie and no referrer, and stores nothing", async () => {
  const { page, context } = await rig.open(`${SLOT}${rig.tag}`, {
    before: ({ context }) => context.addCookies([{ name: "session", value: "secret", url: rig.origin }]),
  });
  await expect.poll(() => rig.reported).toHaveLength(1);

  expect(rig.personal).toEqual([]);
  expect(await context.cookies()).toHaveLength(1);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});

/** A page on which the ad begins just where the view ends. */
async function openBelowTheFold(): Promise<Page> {
  const { page } = await rig.open(
    `<div style="height: 100vh"></div>${SLOT}<div style="height: 200vh"></div>${rig.tag}`,
    { before: stopClock, head: "<style>body { margin: 0 }</style>" },
  );
  await filled(page);
  return page;
}

async function card(page: Page): Promise<{ height: number }> {
  const box = await page.getByRole("link").boundingBox();
  if (box === null) throw new Error("there is no card");
  return box;
}

/** In place of the browser's `fetchLater`: sends when the page gets the event `later`, as a browser does when it is left. */
function keepLater(): void {
  const fetchLater = (address: string, { signal, ...init }: RequestInit) => {
    const result = { activated: false };
    const send = () => {
      result.activated = true;
      void fetch(address, init);
    };
    addEventListener("later", send, { once: true, ...(signal instanceof AbortSignal && { signal }) });
    return result;
  };
  Object.assign(globalThis, { fetchLater });
}
