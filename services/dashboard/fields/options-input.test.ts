import { expect, it } from "vitest";
import { pasteOptions } from "./options-input.tsx";

it("makes an option of each pasted line", () => {
  expect(pasteOptions(["Left", ""], 1, "Top\r\n\r\nBottom\n")).toEqual(["Left", "Top", "Bottom"]);
});

it("keeps the option at the cursor unless it is blank", () => {
  expect(pasteOptions(["Left", "Right"], 0, "Top\nBottom")).toEqual(["Left", "Top", "Bottom", "Right"]);
});

it("leaves the paste of a single line to the browser", () => {
  expect(pasteOptions(["Left"], 0, "Top\n")).toBeNull();
});

it("drops options beyond the maximum", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Option ${index}`);

  expect(pasteOptions([""], 0, lines.join("\n"))).toHaveLength(100);
});
