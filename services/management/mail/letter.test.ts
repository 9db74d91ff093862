import { expect, it } from "vitest";
import { subject, withoutLinks } from "./letter.ts";
import { everyLetter } from "./tests/every-letter.ts";

it.each([
  ["Example Weekly", "Example Weekly"],
  ["Your parcel is held - pay at evil.test", "Your parcel is held - pay at"],
  ["Mallory https://evil.test/x?y=1 Inc.", "Mallory Inc."],
  ["write to mallory@evil.test now", "write to now"],
  ["www.evil.test", "www evil test"],
  ["mallory@evil.test", "mallory evil test"],
  ["pay at evil。test", "pay at"],
  ["pay at bücher．example", "pay at"],
  ["Dr. No, v2.0 for 12.50 or U.S. 1.234,50", "Dr. No, v2.0 for 12.50 or U.S. 1.234,50"],
  ["日本の広告", "日本の広告"],
])("leaves of the name %j what links to nothing: %j", (name, left) => {
  expect(withoutLinks(name)).toBe(left);
  expect(subject`About ${name}!`.text).toBe(`About ${left}!`);
});

it("has no link in the subject of any mail, whatever the names are", () => {
  const letters = everyLetter({
    name: "pay mallory@evil.test or https://evil.test",
    note: "",
  });

  const subjects = letters.map(([, letter]) => letter.subject.text);

  expect(subjects.length).toBeGreaterThan(15);
  for (const text of subjects) expect(text).not.toMatch(/evil|@|:\/\//);
});
