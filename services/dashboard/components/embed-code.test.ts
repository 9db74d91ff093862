import { expect, it } from "vitest";
import {
  embedScript,
  embedTag,
  placementAsModule,
  placementInReact,
  placementTag,
  readPlacement,
} from "./embed-code.ts";

const WORKSPACE = "ws_01kahm4sw4fksra52s8bd8xkd1";
const ORIGIN = "https://ads.example.com";
const PLACEMENT = { tierIds: ["tier_1", "tier_2"], count: 3, imageSize: "600x500", minHeight: 340 };

it("is one script and one place", () => {
  expect(embedScript(ORIGIN)).toBe('<script src="https://ads.example.com/embed.js" async></script>');
  expect(placementTag(WORKSPACE, {})).toBe(`<div data-placard="${WORKSPACE}"></div>`);
});

it("sets the number of ads and the range of tier weights", () => {
  expect(placementTag(WORKSPACE, readPlacement({ count: " 3 ", least: "2,5", below: "10" }))).toBe(
    `<div data-placard="${WORKSPACE}" data-count="3" data-weight-gte="2.5" data-weight-lt="10"></div>`,
  );
});

it.each(["0", "51", "1.5", "-2", 'x" onclick="', ""])("leaves out invalid values: %j", (text) => {
  const typed = { count: text, least: text === "" ? "" : "x", below: "" };

  expect(placementTag(WORKSPACE, readPlacement(typed))).toBe(`<div data-placard="${WORKSPACE}"></div>`);
});

it("names tiers and reserves space, as a tag, in React and as a module", () => {
  expect(placementTag("ws_1", PLACEMENT)).toBe(
    '<div data-placard="ws_1" data-tier-id="tier_1,tier_2" data-count="3" data-image-size="600x500" data-min-height="340" style="min-height: 340px"></div>',
  );
  expect(placementInReact(ORIGIN, "ws_1", PLACEMENT)).toContain(
    `<Placard origin="${ORIGIN}" workspace="ws_1" tierId={["tier_1","tier_2"]} count={3} imageSize="600x500" minHeight={340} />`,
  );
  expect(placementAsModule(ORIGIN, "ws_1", PLACEMENT)).toContain(
    'await claimAds({ workspace: "ws_1", tierId: ["tier_1","tier_2"], count: 3 });',
  );
});

it("loads the script of this installation and marks the place of the workspace", () => {
  expect(embedTag(ORIGIN, "ws_1", { tierIds: ["tier_1"] })).toBe(
    '<script src="https://ads.example.com/embed.js" async></script>\n<div data-placard="ws_1" data-tier-id="tier_1"></div>',
  );
});
