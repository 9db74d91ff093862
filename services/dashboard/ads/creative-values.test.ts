import { expect, it } from "vitest";
import { copyWords, listCreativeValues } from "./creative-values.ts";
import { aField } from "./test-ads.ts";

const logo = aField({ id: "logo", name: "Logo", type: "Image" });

it("says of an image that has no copy yet how it goes, so that nobody loads it from elsewhere", () => {
  const value = "https://coffee.example/logo.png";
  const copy = { status: "pending" as const, problem: null };

  const values = listCreativeValues([logo], [{ fieldId: "logo", value, copy }]);

  expect(values).toEqual([{ field: logo, value, copy }]);
  expect(copyWords(copy)).toBe("This image is being copied.");
  expect(copyWords({ status: "pending", problem: "The site answered 503." })).toBe(
    "This image could not be copied yet, and is tried again: The site answered 503.",
  );
  expect(copyWords({ status: "failed", problem: "The site answered 404." })).toBe(
    "This image could not be copied: The site answered 404.",
  );
});

it("has no copy to speak of for an image that is ours", () => {
  const [shown] = listCreativeValues([logo], [{ fieldId: "logo", value: "/uploads/logo.png" }]);

  expect(shown?.copy).toBeUndefined();
});
