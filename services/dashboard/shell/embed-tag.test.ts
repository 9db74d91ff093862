import { expect, it } from "vitest";
import { embedTag } from "./embed-tag.ts";

it("loads the script of this installation and marks the place of the workspace", () => {
  expect(embedTag("https://ads.example.com", "ws_1")).toBe(
    '<script src="https://ads.example.com/embed.js" async></script>\n<div data-placard="ws_1"></div>',
  );
});
