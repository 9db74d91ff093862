import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectAccessible, expectNoOverflow } from "../../../infra/browser/index.ts";
import { anAd, startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div data-placard="ws_1"></div>';
const STRICT_CSS = "<style>html { color-scheme: light dark }</style>";

const ICON =
  "data:image/svg+xml," +
  encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>');

it("draws a card that can be read, in both themes and at any width", async () => {
  rig.ads = [
    anAd("Example Coffee", { meta: { tagline: "Roasted this morning", button: "Taste it" } }),
    anAd("A".repeat(80), {
      meta: { tagline: `${"long".repeat(40)} https://example.com/${"path".repeat(30)}` },
    }),
  ];
  const { page } = await rig.open(
    `<main><h1>A site</h1><div data-placard="ws_1" data-count="2"></div></main>${rig.tag}`,
    {
      head: STRICT_CSS,
    },
  );
  await page.locator("[data-placard-state=filled]").waitFor();

  await expectAccessible(page);
  for (const width of [320, 360, 768, 1440]) await expectNoOverflow(page, width);
  expect(await page.getByRole("group", { name: "Sponsored" }).count()).toBe(1);
  const link = page.getByRole("link", { name: "Example Coffee Roasted this morning Taste it Sponsored" });
  expect(await link.getAttribute("rel")).toBe("sponsored noopener");
  expect(await link.getAttribute("href")).toBe("https://example_coffee.example/");
});

/** The sum of the layout shifts of the page so far, as browsers measure them. */
async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => Number("value" in entry ? entry.value : 0));
          resolve(shifts.reduce((sum, shift) => sum + shift, 0));
        }).observe({ type: "layout-shift", buffered: true });
        // Without a shift the observer is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
}

/** A page whose ads and images arrive only when `arrive` is called, long after everything else has been painted. */
async function openSlowly(body: string): Promise<{ page: Page; arrive: () => Promise<void> }> {
  const ads = Promise.withResolvers<void>();
  const images = Promise.withResolvers<void>();
  const { page } = await rig.open(`<main><h1>A site</h1>${body}<p>An article.</p></main>${rig.tag}`, {
    before: async ({ page }) => {
      await page.route("**/ads/serving*", async (route) => {
        await ads.promise;
        await route.continue();
      });
      await page.route("**/banner.png", async (route) => {
        await images.promise;
        const body = decodeURIComponent(ICON.slice(ICON.indexOf(",") + 1)).replace(
          "<svg ",
          '<svg width="300" height="250" ',
        );
        await route.fulfill({ contentType: "image/svg+xml", body });
      });
    },
  });
  await page.locator("[data-placard-state=loading]").first().waitFor({ state: "attached" });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return {
    page,
    async arrive() {
      ads.resolve();
      await page.locator("[data-placard-state=filled]").first().waitFor();
      images.resolve();
      await expect
        .poll(() =>
          page.locator("img").evaluateAll((all) => all.every((one) => "complete" in one && one.complete)),
        )
        .toBe(true);
    },
  };
}

const PICTURED = () =>
  anAd("Example Coffee", {
    meta: { tagline: "Roasted", image: `${rig.siteOrigin}/banner.png`, button: "Taste it" },
  });

it.each([
  [
    "a slot with a reserved height",
    '<div data-placard="ws_1" data-image-size="300x250" data-min-height="360" style="min-height: 360px"></div>',
  ],
  [
    "a slot whose template has a height of its own",
    '<div data-placard="ws_1"><template><p style="height: 80px; margin: 0"><a data-placard-link data-placard-text="name"></a></p></template></div>',
  ],
])("moves nothing on the page when an ad and its image arrive late in %s", async (_case, slot) => {
  rig.ads = [PICTURED()];
  const { page, arrive } = await openSlowly(slot);
  const article = page.getByText("An article.");
  const before = await article.boundingBox();
  const shiftBefore = await layoutShift(page);

  await arrive();

  expect(await article.boundingBox()).toEqual(before);
  expect((await layoutShift(page)) - shiftBefore).toBe(0);
  // What the page's own style reserves is there before the script is; a template has to wait for it.
  if (slot.includes('style="min-height')) expect(shiftBefore).toBe(0);
});

it("keeps a reserved height without ads, and gives it back with the slot", async () => {
  rig.ads = [];
  const { page } = await rig.open(`<div id="slot" data-placard="ws_1" data-min-height="90"></div>${rig.tag}`);
  await page.locator("[data-placard-state=empty]").waitFor();
  const slot = page.locator("#slot");
  expect((await slot.boundingBox())?.height).toBe(90);

  await slot.evaluate((element) => element.removeAttribute("data-placard"));

  await expect.poll(async () => (await slot.boundingBox())?.height ?? 0).toBe(0);
});

it("makes a single card as wide as its column, and lets several share it", async () => {
  rig.ads = [PICTURED(), anAd("Two", { meta: {} }), anAd("Three", { meta: {} })];
  const { page } = await rig.open(
    `<main style="width: 680px">${SLOT}<div data-placard="ws_1" data-count="2"></div></main>${rig.tag}`,
    {
      before: async ({ page }) =>
        page.route("**/banner.png", (route) =>
          route.fulfill({ contentType: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg'/>" }),
        ),
    },
  );
  await expect.poll(() => page.locator("[data-placard-state=filled]").count()).toBe(2);

  const widths = await page
    .locator("[part=ad]")
    .evaluateAll((all) => all.map((card) => card.getBoundingClientRect().width));
  expect(widths).toEqual([680, 334, 334]);
});

it("neither crops nor enlarges images whose size the slot names", async () => {
  rig.ads = [PICTURED()];
  const { page, arrive } = await openSlowly(
    '<div style="width: 680px"><div data-placard="ws_1" data-image-size="300x250"></div></div>',
  );
  await arrive();

  const image = page.locator("[part=image]");
  expect(await image.boundingBox()).toMatchObject({ width: 300, height: 250 });
  await page.setViewportSize({ width: 240, height: 800 });
  await page
    .locator("main div")
    .first()
    .evaluate((column) => column.setAttribute("style", "width: 200px"));
  const { width = 0, height = 1 } = (await image.boundingBox()) ?? {};
  expect(width).toBeLessThan(200);
  expect(width / height).toBeCloseTo(1.2, 1);
});

it("keeps its look under a hostile style sheet", async () => {
  const hostile = `<style>
    * { all: unset !important; display: inline !important; float: right !important; color: #fefefe !important }
    div, span, a, img { position: fixed !important; font: 99px/9 cursive !important; text-transform: uppercase !important;
      letter-spacing: 3em !important; direction: rtl !important; opacity: .9 !important; transform: rotate(9deg) !important;
      width: 3px !important; background: red !important }
    [part], .ad, .name { display: none !important }
  </style>`;
  const look = async (head: string) => {
    const { page } = await rig.open(`<main><section>${SLOT}</section></main>${rig.tag}`, { head });
    await page.locator("[data-placard-state=filled]").waitFor({ state: "attached" });
    return await page.locator("[part=ad]").evaluate((card) => {
      const of = (element: Element | null) => {
        const { color, backgroundColor, fontSize, fontFamily, textTransform, letterSpacing, display } =
          getComputedStyle(element ?? card);
        return {
          color,
          backgroundColor,
          fontSize,
          fontFamily,
          textTransform,
          letterSpacing,
          display,
        };
      };
      return [of(card), of(card.querySelector("[part=name]")), of(card.querySelector("[part=text]"))];
    });
  };

  expect(await look(hostile)).toEqual(await look(""));
});

it("takes the site's variables, parts, label and theme", async () => {
  const { page } = await rig.open(
    `<div data-placard="ws_1" data-theme="dark" data-label="Partner"></div>${rig.tag}`,
    {
      head: "<style>[data-placard] { --placard-background: #123456 } ::part(name) { color: #abcdef }</style>",
    },
  );
  const card = page.getByRole("link", { name: "Partner" });
  await card.waitFor();

  expect(await card.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgb(18, 52, 86)");
  const name = page.locator("[part=name]");
  expect(await name.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(171, 205, 239)");
  const text = page.locator("[part=text]");
  expect(await text.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(174, 179, 187)");
});

it("shows the picture of the creative, or the favicon, and leaves out one that cannot be loaded", async () => {
  const picture = (file: string) => `${rig.siteOrigin}/${file}`;
  rig.ads = [
    anAd("Banner", { meta: { banner: picture("banner.png") }, faviconUrl: picture("icon.png") }),
    anAd("Icon", { faviconUrl: picture("icon.png") }),
    anAd("Broken", { faviconUrl: picture("missing.png") }),
  ];
  const { page, expectProblems } = await rig.open(
    `<div data-placard="ws_1" data-count="3"></div>${rig.tag}`,
    {
      before: async ({ page }) => {
        const body = decodeURIComponent(ICON.slice(ICON.indexOf(",") + 1));
        await page.route("**/{banner,icon}.png", (route) =>
          route.fulfill({ contentType: "image/svg+xml", body }),
        );
      },
    },
  );
  await page.locator("[data-placard-state=filled]").waitFor();

  await expect.poll(() => page.locator("img").count()).toBe(2);
  expect(await page.locator("img").evaluateAll((all) => all.map((one) => one.getAttribute("part")))).toEqual([
    "image",
    "icon",
  ]);
  expectProblems(/missing\.png/);
});

it("fills the site's own template, and leaves out what an ad does not have", async () => {
  rig.ads = [
    anAd("Example Coffee", { meta: { tagline: "Roasted", logo: `${rig.siteOrigin}/logo.png` } }),
    anAd("Example Type", { meta: {} }),
  ];
  const { page } = await rig.open(
    `<ul data-placard="ws_1" data-count="2"><template>
      <li class="mine"><a data-placard-link><img alt="" data-placard-src="logo"><b data-placard-text="name"></b></a>
      <i data-placard-text="host"></i><em data-placard-text="tagline"></em></li>
    </template></ul>${rig.tag}`,
    {
      before: async ({ page }) =>
        page.route("**/logo.png", (route) =>
          route.fulfill({ contentType: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg'/>" }),
        ),
    },
  );
  await page.locator("[data-placard-state=filled]").waitFor();

  const drawn = await page
    .locator("ul > li.mine")
    .evaluateAll((all) => all.map((one) => one.outerHTML.replace(/\s*\n\s*/g, "")));

  const link = (name: string) =>
    `<a data-placard-link="" href="https://${name}.example/" target="_blank" rel="sponsored noopener">`;
  expect(drawn).toEqual([
    `<li class="mine">${link("example_coffee")}<img alt="" data-placard-src="logo" src="${rig.siteOrigin}/logo.png"><b data-placard-text="name">Example Coffee</b></a><i data-placard-text="host">example_coffee.example</i><em data-placard-text="tagline">Roasted</em></li>`,
    `<li class="mine">${link("example_type")}<b data-placard-text="name">Example Type</b></a><i data-placard-text="host">example_type.example</i></li>`,
  ]);
});

it("reports impressions and clicks of what a template has drawn", async () => {
  const { page } = await rig.open(
    `<template id="mine"><p><a data-placard-link data-placard-text="name"></a></p></template>
     <div data-placard="ws_1" data-template="#mine"></div>${rig.tag}`,
    { head: "<script>addEventListener('click', (event) => event.preventDefault())</script>" },
  );
  await expect.poll(() => rig.reported.length).toBe(1);

  await page.getByRole("link", { name: "Example Coffee" }).click();

  await expect.poll(() => rig.reported.map(({ kind }) => kind)).toEqual(["impressions", "clicks"]);
});

const SCRIPT = "<script>alert(1)</script>";
const HANDLER = '"><img src=x onerror=alert(1)>';
const HOSTILE: readonly (readonly [string, string])[] = [
  ["a script", SCRIPT],
  ["an event handler", HANDLER],
  ["an end of the template", "</template></style></div><svg onload=alert(1)>"],
  ["an address that is a script", "javascript:alert(1)"],
  ["control and direction characters", "a\u0000b\u202ec\u2066d\u0007"],
  ["a template of a framework", "{{constructor.constructor('alert(1)')()}}"],
];

it.each(HOSTILE)("shows %s as text, in a card and in a template", async (_case, text) => {
  rig.ads = [
    anAd("One", {
      name: text,
      faviconUrl: text,
      meta: { tagline: text, button: text, image: text, __proto__: text },
    }),
    anAd("Two", { name: text, faviconUrl: text, meta: { tagline: text, logo: text } }),
  ];
  const { page } = await rig.open(
    `${SLOT}<div data-placard="ws_1"><template><a data-placard-link data-placard-text="name"></a>
      <img alt="" data-placard-src="logo,faviconUrl"><i data-placard-text="tagline"></i></template></div>${rig.tag}`,
    { before: async ({ page }) => page.addInitScript("globalThis.alert = () => console.error('it ran')") },
  );
  await expect.poll(() => page.locator("[data-placard-state=filled]").count()).toBe(2);

  expect(await page.locator("[part=name], [part=text], [part=button]").allTextContents()).toEqual([
    text,
    text,
    text,
  ]);
  expect(await page.locator("[data-placard-text]").allTextContents()).toEqual([text, text]);
  expect(await page.locator("img, script:not([src]), svg").count()).toBe(0);
});

it.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  " javascript:alert(1)",
  "//evil.example",
  "/relative",
  "",
])("links to no %j", async (websiteUrl) => {
  rig.ads = [anAd("Hostile", { websiteUrl }), anAd("Example Coffee")];
  const { page } = await rig.open(`${SLOT}<div data-placard="ws_1"></div>${rig.tag}`);
  await page.locator("[data-placard-state=filled]").first().waitFor();

  const links = await page.getByRole("link").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  expect(links.filter((href) => !href?.startsWith("https://example_coffee"))).toEqual([]);
});

it("works where the site allows scripts from itself and the service alone, and no inline style", async () => {
  const { page } = await rig.open(`${SLOT}${rig.tag}`, {
    headers: {
      "content-security-policy": `default-src 'none'; script-src 'self' ${rig.origin}; connect-src ${rig.origin}; img-src data:; require-trusted-types-for 'script'`,
    },
  });
  await expect.poll(() => rig.reported.length).toBe(1);

  const style = await page.locator("[part=ad]").evaluate((element) => getComputedStyle(element).display);
  expect(style).toBe("flex");
});

it("works in an iframe of another site, where an impression is of what the reader sees", async () => {
  rig.addPage("/frame", `<div style="height: 50px"></div>${SLOT}${rig.tag}`);
  const { page } = await rig.open(
    `<div style="height: 150vh"></div><iframe title="Ad" src="${rig.siteOrigin.replace("localhost", "127.0.0.1")}/frame" width="400" height="200"></iframe><div style="height: 50vh"></div>`,
    { path: "/around", alsoFrom: [rig.origin, rig.siteOrigin.replace("localhost", "127.0.0.1")] },
  );
  const frame = page.frameLocator("iframe");
  await frame.locator("[data-placard-state=filled]").waitFor();
  // As long as an impression takes and more: a slot of the page itself would have had one by now.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_300)));
  expect(rig.reported).toEqual([]);

  await page.locator("iframe").scrollIntoViewIfNeeded();

  await expect.poll(() => rig.reported.length).toBe(1);
});
