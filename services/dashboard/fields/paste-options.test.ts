import { expect, it } from "vitest";
import { pasteOptions } from "./paste-options.ts";

it("makes an option of each pasted line", () => {
  expect(pasteOptions(["Left", ""], 1, "Top\r\n\r\nBottom\n")).toEqual(["Left", "Top", "Bottom"]);
});

it("keeps an option that is there", () => {
  expect(pasteOptions(["Left", "Right"], 0, "Top\nBottom")).toEqual(["Left", "Top", "Bottom", "Right"]);
});

it("leaves a single line to the browser", () => {
  expect(pasteOptions(["Left"], 0, "Top\n")).toBeNull();
});

it("takes no more than a field may have", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Option ${index}`);

  expect(pasteOptions([""], 0, lines.join("\n"))).toHaveLength(100);
});
