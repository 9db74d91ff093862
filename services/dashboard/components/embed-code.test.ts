import { expect, it } from "vitest";
import { EMPTY_PLACEMENT, embedScript, embedTag, placementTag } from "./embed-code.ts";

const WORKSPACE = "ws_01kahm4sw4fksra52s8bd8xkd1";

it("is one script and one place", () => {
  expect(embedScript("https://ads.example.com")).toBe(
    '<script src="https://ads.example.com/embed.js" async></script>',
  );
  expect(placementTag(WORKSPACE, EMPTY_PLACEMENT)).toBe(`<div data-placard="${WORKSPACE}"></div>`);
});

it("sets the number of ads and the range of tier weights", () => {
  expect(placementTag(WORKSPACE, { count: " 3 ", least: "2,5", below: "10" })).toBe(
    `<div data-placard="${WORKSPACE}" data-count="3" data-weight-gte="2.5" data-weight-lt="10"></div>`,
  );
});

it.each(["0", "51", "1.5", "-2", 'x" onclick="', ""])("leaves out invalid values: %j", (text) => {
  expect(placementTag(WORKSPACE, { count: text, least: text === "" ? "" : "x", below: "" })).toBe(
    `<div data-placard="${WORKSPACE}"></div>`,
  );
});

it("loads the script of this installation and marks the place of the workspace", () => {
  expect(embedTag("https://ads.example.com", "ws_1")).toBe(
    '<script src="https://ads.example.com/embed.js" async></script>\n<div data-placard="ws_1"></div>',
  );
});
