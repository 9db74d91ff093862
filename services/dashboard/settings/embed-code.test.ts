import { expect, it } from "vitest";
import { EMPTY_PLACEMENT, embedScript, placementTag } from "./embed-code.ts";

const WORKSPACE = "ws_01kahm4sw4fksra52s8bd8xkd1";

it("is one script and one place", () => {
  expect(embedScript("https://ads.example.com")).toBe(
    '<script src="https://ads.example.com/embed.js" async></script>',
  );
  expect(placementTag(WORKSPACE, EMPTY_PLACEMENT)).toBe(`<div data-placard="${WORKSPACE}"></div>`);
});

it("names how many ads of which tiers", () => {
  expect(placementTag(WORKSPACE, { count: " 3 ", least: "2,5", below: "10" })).toBe(
    `<div data-placard="${WORKSPACE}" data-count="3" data-weight-gte="2.5" data-weight-lt="10"></div>`,
  );
});

it.each(["0", "51", "1.5", "-2", 'x" onclick="', ""])("leaves out what makes no sense: %j", (text) => {
  expect(placementTag(WORKSPACE, { count: text, least: text === "" ? "" : "x", below: "" })).toBe(
    `<div data-placard="${WORKSPACE}"></div>`,
  );
});
