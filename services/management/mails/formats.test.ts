import { expect, it } from "vitest";
import { createFormats } from "./formats.ts";

const narrow = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

it.each([
  ["en", "$49.00", "¥4,900", "12,345", "5.49%", "December 1, 2026", "October 2026"],
  ["de", "49,00 $", "4.900 ¥", "12.345", "5,49 %", "1. Dezember 2026", "Oktober 2026"],
  ["ja", "$49.00", "￥4,900", "12,345", "5.49%", "2026年12月1日", "2026年10月"],
])("writes as people do in %s", (locale, dollars, yen, count, share, day, month) => {
  const formats = createFormats(locale);

  expect(narrow(formats.money(4900, "usd"))).toBe(dollars);
  expect(narrow(formats.money(4900, "jpy"))).toBe(yen);
  expect(formats.count(12_345)).toBe(count);
  expect(narrow(formats.share(678, 12_345))).toBe(share);
  expect(formats.day(new Date("2026-12-01T23:59:59Z"))).toBe(day);
  expect(formats.month("2026-10")).toBe(month);
});

it("has no share of nothing", () => {
  expect(createFormats("en").share(1, 0)).toBe("–");
});
