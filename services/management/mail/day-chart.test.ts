import { inflateSync } from "node:zlib";
import { imageSize } from "image-size";
import { expect, it } from "vitest";
import { drawDays } from "./day-chart.ts";

const [BLUE, PALE] = [1, 2];

/** The places of the palette in the first column of a day's bar, from the top down. */
function columnsOf(png: Buffer): readonly (readonly number[])[] {
  const { width, height } = imageSize(png);
  const at = png.indexOf("IDAT");
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  return Array.from({ length: width }, (_, x) =>
    Array.from({ length: height }, (_, y) => rows[y * (width + 1) + 1 + x] ?? -1),
  );
}

const tallest = (png: Buffer, color: number) =>
  Math.max(...columnsOf(png).map((column) => column.filter((one) => one === color).length));

it("draws a day's bar in proportion to the highest, beside the pale one of the day before", () => {
  const png = drawDays([
    { count: 50, before: 100 },
    { count: 25, before: 0 },
  ]);

  expect(imageSize(png)).toMatchObject({ type: "png", width: 1008, height: 240 });
  expect([tallest(png, BLUE), tallest(png, PALE)]).toEqual([119, 238]);
});

it("shows any count above none, and nothing for none", () => {
  const few = drawDays([{ count: 1, before: 1_000_000 }]);
  const none = drawDays([{ count: 0, before: null }]);

  expect(tallest(few, BLUE)).toBe(4);
  expect([tallest(none, BLUE), tallest(none, PALE)]).toEqual([0, 0]);
});

it("ends as every PNG does, with the right checksum", () => {
  expect(drawDays([]).subarray(-8).toString("hex")).toBe("49454e44ae426082");
});

it("takes a few kilobytes for a month", () => {
  const days = Array.from({ length: 31 }, (_, n) => ({
    count: (n * 7919) % 1000,
    before: (n * 104729) % 1000,
  }));

  expect(drawDays(days).length).toBeLessThan(5_000);
});
