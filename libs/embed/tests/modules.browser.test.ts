import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, expect, it } from "vitest";
import { startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div data-placard="ws_1"></div>';

it("is under 6 KB gzipped", async () => {
  const file = await readFile(new URL("../dist/embed.js", import.meta.url));

  expect(gzipSync(file, { level: 9 }).length).toBeLessThan(6 * 1024);
});

it("gives a page the functions by themselves, from where it was loaded", async () => {
  const { page } = await rig.open(`<p id="place">An ad</p>`);

  const result = await page.evaluate(`import("${rig.origin}/embed.mjs").then(async (embed) => {
    const ads = await embed.getAds({ workspace: "ws_1", count: 2, excludeIds: ["ad_example_coffee"] });
    await new Promise((seen) => embed.whenInView(document.querySelector("#place"), seen));
    const success = await embed.trackImpression(ads[0].id);
    return { ids: ads.map(({ id }) => id), success, clicked: embed.trackClick(ads[0].id) };
  })`);

  expect(result).toEqual({ ids: ["ad_example_hosting", "ad_example_type"], success: true, clicked: true });
  await expect.poll(() => rig.reported.map(({ kind }) => kind)).toEqual(["impressions", "clicks"]);
});

it("claims ads that no slot of the script holds", async () => {
  const { page } = await rig.open(`${SLOT}${rig.tag}`);
  await page.locator("[data-placard-state=filled]").waitFor();

  const ids = await page.evaluate(`import("${rig.origin}/embed.mjs").then(async ({ claimAds }) => {
    const first = await claimAds({ workspace: "ws_1", count: 2 });
    first.release();
    const again = await claimAds({ workspace: "ws_1" });
    return [...first.ads, ...again.ads].map(({ id }) => id);
  })`);

  expect(ids).toEqual(["ad_example_hosting", "ad_example_type", "ad_example_hosting"]);
});

/** An application with the component, made as a site would make it. */
const APPLICATION = `
  import { createElement as h, StrictMode, useState } from "react";
  import { createRoot } from "react-dom/client";
  import { Placard } from "../react.ts";

  const origin = document.querySelector("meta[name=ads]").content;
  const own = (ad) => h("a", { href: ad.websiteUrl, rel: "sponsored noopener" }, ad.name);
  function App() {
    const [view, setView] = useState("/");
    return h("main", null,
      h(Placard, { origin, workspace: "ws_1", view }, own),
      h(Placard, { origin, workspace: "ws_1", view, label: "Partner" }),
      h(Placard, { origin, workspace: "ws_1", view, count: 9, tierId: ["tier_a", "tier_b"], minHeight: 70, fallback: h("p", null, "Your ad here") }),
      h("button", { onClick: () => setView(view + "next") }, "Next page"));
  }
  addEventListener("click", (event) => event.preventDefault());
  createRoot(document.querySelector("#root")).render(h(StrictMode, null, h(App)));
`;

let application = "";
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: import.meta.dirname,
    build: { write: false, minify: false, rolldownOptions: { input: "application" } },
    plugins: [
      {
        name: "application",
        resolveId: (id) => (id === "application" ? `${import.meta.dirname}/application.js` : null),
        load: (id) => (id.endsWith("/application.js") ? APPLICATION : null),
      },
    ],
  });
  const [output] = [built].flat();
  if (output !== undefined && "output" in output) application = output.output[0].code;
});

it("shows ads in React, each once, and starts again with another view", async () => {
  rig.addScript("/app.js", application);
  rig.ads = rig.ads.slice(0, 2);
  const { page } = await rig.open('<div id="root"></div><script type="module" src="/app.js"></script>', {
    head: `<meta name="ads" content="${rig.origin}">`,
  });

  await page.getByRole("link", { name: "Example Coffee", exact: true }).waitFor();
  await page.getByRole("link", { name: "Example Hosting What Example Hosting says Partner" }).waitFor();
  expect(await page.getByText("Your ad here").isVisible()).toBe(true);
  await expect.poll(() => rig.reported.length).toBe(2);
  await page.getByRole("link", { name: "Example Coffee", exact: true }).click();
  await page.getByRole("link", { name: "Partner" }).click();
  await expect.poll(() => rig.reported.filter(({ kind }) => kind === "clicks").length).toBe(2);

  await page.getByRole("button", { name: "Next page" }).click();

  await expect.poll(() => rig.reported.filter(({ kind }) => kind === "impressions").length).toBe(4);
});

it("asks for several tiers in React, and keeps a height with ads or without", async () => {
  rig.addScript("/app.js", application);
  rig.ads = rig.ads.slice(0, 2);
  const { page } = await rig.open('<div id="root"></div><script type="module" src="/app.js"></script>', {
    head: `<meta name="ads" content="${rig.origin}"><style>p { margin: 0 }</style>`,
  });
  const fallback = page.getByText("Your ad here");
  await fallback.waitFor();
  await page.getByRole("link", { name: "Example Coffee", exact: true }).waitFor();

  expect(rig.asked.map((query) => query.get("tierId"))).toContain("tier_a,tier_b");
  expect(await fallback.locator("..").evaluate((place) => place.getBoundingClientRect().height)).toBe(70);
});
