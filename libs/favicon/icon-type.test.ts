import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { iconTypeOf } from "./icon-type.ts";
import { aBitmap, aGif, aJpeg, anIco, aPng, aWebp } from "./tests/images.ts";

const EVERY_TYPE = [
  ["image/png", aPng],
  ["image/gif", aGif],
  ["image/jpeg", aJpeg],
  ["image/webp", aWebp],
  ["image/x-icon", (side: number) => anIco([aPng(side)])],
  ["image/x-icon", (side: number) => anIco([aBitmap(side)])],
] as const;

it.each(EVERY_TYPE)("takes an %s from 8 to 1024 pixels", (type, make) => {
  const types = [7, 8, 64, 1024, 1025].map((side) => iconTypeOf(make(side)));

  expect(types).toEqual([null, type, type, type, null]);
});

it("knows no AVIF, no SVG and no page", () => {
  const avif = Buffer.from("0000001c667479706176696600000000617669666d696631", "hex");

  for (const bytes of [avif, Buffer.from("<svg/>"), Buffer.from("<!doctype html>"), Buffer.alloc(0)]) {
    expect(iconTypeOf(bytes)).toBeNull();
  }
});

describe("takes no ICO", () => {
  const changed = (at: number, value: number) => {
    const ico = anIco();
    ico.writeUInt32LE(value, at);
    return ico;
  };
  it.each([
    ["that lists nothing", anIco([])],
    ["that lists more than it can hold", anIco().fill(255, 4, 6)],
    ["that lists more than anybody needs", anIco(Array.from({ length: 65 }, () => aBitmap()))],
    ["whose image is beyond its end", changed(6 + 12, 10_000)],
    ["whose image is longer than the rest", changed(6 + 8, 10_000)],
    ["whose image is its directory", changed(6 + 12, 0)],
    ["with one image that is far too large", anIco([aBitmap(16), aPng(60_000)])],
    ["with an image that is none", anIco([aBitmap(16), Buffer.from("<script>alert(1)</script>".repeat(4))])],
  ])("%s", (_what, ico) => {
    expect(iconTypeOf(ico)).toBeNull();
  });
});

it("survives any bytes behind a right beginning", () => {
  const starts = [...EVERY_TYPE.map(([, make]) => make(32)), anIco()];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.nat(64),
      fc.uint8Array({ maxLength: 200 }),
      (start, length, rest) => {
        const bytes = Buffer.concat([start.subarray(0, length), rest]);
        expect([null, "image/png", "image/gif", "image/jpeg", "image/webp", "image/x-icon"]).toContain(
          iconTypeOf(bytes),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});
