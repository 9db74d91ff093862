import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_TYPES, type FieldType } from "./field.ts";
import { type ContentRules, checkContent } from "./field-content.ts";

const NO_LIMITS = { options: [], maxLength: null, min: null, max: null };

function rulesFor(type: FieldType, limits: Partial<ContentRules> = {}): ContentRules {
  return { type, ...NO_LIMITS, ...limits };
}

/** What the type takes, and what is stored of it. */
const TAKEN: readonly [FieldType, unknown, unknown, Partial<ContentRules>?][] = [
  ["Text", "Roasted this morning", "Roasted this morning"],
  ["Text", "  trimmed ", "trimmed"],
  ["Text", "tab\tinside", "tab\tinside"],
  ["Text", "☕️ Ärger 東京", "☕️ Ärger 東京"],
  ["Text", "😀😀😀", "😀😀😀", { maxLength: 3 }],
  ["Text", "x".repeat(500), "x".repeat(500)],
  ["Textarea", "one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"],
  ["Textarea", "x".repeat(10_000), "x".repeat(10_000)],
  ["Url", "https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ["Url", " HTTP://EXAMPLE.COM ", "HTTP://EXAMPLE.COM"],
  ["Url", "https://münchen.example/", "https://münchen.example/"],
  ["Url", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/"],
  ["Image", "https://example.com/logo.png", "https://example.com/logo.png"],
  ["Email", "ads+spring@mail.example.com", "ads+spring@mail.example.com"],
  ["Number", 0, 0],
  ["Number", -0, 0],
  ["Number", -12.5, -12.5],
  ["Number", 3, 3, { min: 3, max: 3 }],
  ["Switch", true, true],
  ["Switch", false, false],
  ["Select", "Left", "Left", { options: ["Left", "Right"] }],
  ["Date", "2024-02-29", "2024-02-29"],
  ["Date", "0001-01-01", "0001-01-01"],
  ["Date", "9999-12-31", "9999-12-31"],
  ["Color", "#Ff8800", "#ff8800"],
  ["Color", "#F80", "#ff8800"],
];

const REFUSED: readonly [FieldType, unknown, Partial<ContentRules>?][] = [
  ["Text", 5],
  ["Text", ["text"]],
  ["Text", "two\nlines"],
  ["Text", "two\u2028lines"],
  ["Text", "null\u0000byte"],
  ["Text", "lone \ud800 surrogate"],
  ["Text", "four", { maxLength: 3 }],
  ["Text", "x".repeat(501)],
  ["Text", "x".repeat(501), { maxLength: 9_999 }],
  ["Textarea", "x".repeat(10_001)],
  ["Textarea", "null\u0000byte"],
  ["Url", "example.com"],
  ["Url", "javascript:alert(1)"],
  ["Url", "data:text/html,hello"],
  ["Url", "ftp://example.com"],
  ["Url", "https:example.com"],
  ["Url", "https://"],
  ["Url", "https://exa mple.com"],
  ["Url", "https://example.com/\nnext"],
  ["Url", "https://example.com/\u0000"],
  ["Url", `https://example.com/${"x".repeat(2048)}`],
  ["Image", "data:image/png;base64,AAAA"],
  ["Email", "nobody"],
  ["Email", "a@b@example.com"],
  ["Email", "ads@-example.com"],
  ["Email", "two@example.com, three@example.com"],
  ["Email", `${"x".repeat(250)}@example.com`],
  ["Number", "5"],
  ["Number", Number.NaN],
  ["Number", Number.POSITIVE_INFINITY],
  ["Number", 2.99, { min: 3 }],
  ["Number", 3.01, { max: 3 }],
  ["Switch", "true"],
  ["Switch", 1],
  ["Select", "left", { options: ["Left"] }],
  ["Select", "Left"],
  ["Select", 0, { options: ["0"] }],
  ["Date", "2023-02-29"],
  ["Date", "2024-04-31"],
  ["Date", "2024-13-01"],
  ["Date", "2024-00-10"],
  ["Date", "0000-01-01"],
  ["Date", "24-01-01"],
  ["Date", "2024-01-01T00:00:00Z"],
  ["Date", 1_700_000_000_000],
  ["Color", "ff8800"],
  ["Color", "#ff880"],
  ["Color", "#ff8800ff"],
  ["Color", "red"],
];

describe("what each type takes", () => {
  it.each(TAKEN)("takes for %s: %j", (type, value, content, limits) => {
    expect(checkContent(rulesFor(type, limits), value)).toEqual({ content });
  });

  it.each(REFUSED)("refuses for %s: %j", (type, value, limits) => {
    expect(checkContent(rulesFor(type, limits), value)).toEqual({ problem: expect.stringMatching(/\.$/) });
  });

  it("has a case of each kind for every type", () => {
    expect(new Set(TAKEN.map(([type]) => type))).toEqual(new Set(FIELD_TYPES));
    expect(new Set(REFUSED.map(([type]) => type))).toEqual(new Set(FIELD_TYPES));
  });
});

it("never throws, stores only what JSON and Postgres carry, and takes what it stored once more unchanged", () => {
  const type = fc.constantFrom(...FIELD_TYPES);
  const limits = fc.record({
    options: fc.array(fc.string(), { maxLength: 3 }),
    maxLength: fc.option(fc.integer({ min: 1, max: 20 })),
    min: fc.option(fc.integer({ min: -9, max: 0 })),
    max: fc.option(fc.integer({ min: 0, max: 9 })),
  });
  const value = fc.oneof(
    fc.anything(),
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.emailAddress(),
    fc.stringMatching(/^#[0-9a-fA-F]{3,8}$/),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  );

  fc.assert(
    fc.property(type, limits, value, (oneType, someLimits, oneValue) => {
      const rules = rulesFor(oneType, someLimits);

      const checked = checkContent(rules, oneValue);

      if (!("content" in checked)) return;
      expect(JSON.parse(JSON.stringify(checked.content))).toBe(checked.content);
      expect(String(checked.content).isWellFormed()).toBe(true);
      if (oneType !== "Select") expect(String(checked.content)).not.toContain("\u0000");
      expect(checkContent(rules, checked.content)).toEqual(checked);
    }),
    { numRuns: 2_000 },
  );
});

it("takes exactly the days that the calendar has", () => {
  const part = (max: number) => fc.integer({ min: 0, max });

  fc.assert(
    fc.property(part(9999), part(15), part(35), (year, month, day) => {
      const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
      const length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
      const exists = year > 0 && day >= 1 && day <= length;
      const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

      const checked = checkContent(rulesFor("Date"), text);

      expect("content" in checked).toBe(exists);
    }),
    { numRuns: 2_000 },
  );
});
