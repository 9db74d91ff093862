import { expect, it } from "vitest";
import { aField } from "../tests/test-ads.ts";
import { copyWords, listCreativeValues } from "./creative-values.ts";

const logo = aField({ id: "logo", name: "Logo", type: "Image" });

it("describes the progress of an image without a copy, so that nobody loads it from its site", () => {
  const value = "https://coffee.example/logo.png";
  const copy = { status: "pending" as const, problem: null };

  const values = listCreativeValues([logo], [{ fieldId: "logo", value, copy }]);

  expect(values).toEqual([{ field: logo, value, copy }]);
  expect(copyWords(copy)).toBe("This image is being copied.");
  expect(copyWords({ status: "pending", problem: "The site answered 503." })).toBe(
    "This image couldn’t be copied yet; we’ll try again: The site answered 503.",
  );
  expect(copyWords({ status: "failed", problem: "The site answered 404." })).toBe(
    "This image couldn’t be copied: The site answered 404.",
  );
});

it("describes no progress for an image of our own", () => {
  const [shown] = listCreativeValues([logo], [{ fieldId: "logo", value: "/uploads/logo.png" }]);

  expect(shown?.copy).toBeUndefined();
});
