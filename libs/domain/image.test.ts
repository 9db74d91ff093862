import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectImageType, IMAGE_TYPES, imageExtension, imageTypeOf } from "./image.ts";

/** The beginnings of files as encoders write them. */
const BEGINNINGS = [
  ["image/png", "89504e470d0a1a0a0000000d49484452"],
  ["image/jpeg", "ffd8ffe000104a46494600010100000100010000"],
  ["image/jpeg", "ffd8ffdb"],
  ["image/gif", "47494638396101000100"],
  ["image/gif", "47494638376101000100"],
  ["image/webp", "524946462400000057454250565038"],
  ["image/avif", "0000001c6674797061766966000000006d696631617669666d696166"],
  ["image/avif", "00000020667479706d6966310000000061766966617669736d6966316d696166"],
] as const;

const OTHERS = [
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
  ["a page", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["a sound in the same container as WebP", Buffer.from("RIFF\x24\x00\x00\x00WAVEfmt ")],
  ["a film in the same container as AVIF", Buffer.from("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom")],
  [
    "a film with the word after its brands",
    Buffer.from("\x00\x00\x00\x14ftypmp42\x00\x00\x00\x00isomavifavif"),
  ],
  ["half a signature", Buffer.from("89504e47", "hex")],
  ["nothing", Buffer.alloc(0)],
] as const;

describe("what a file is by its first bytes", () => {
  it.each(BEGINNINGS)("is %s for %s", (type, hex) => {
    expect(detectImageType(Buffer.from(hex, "hex"))).toBe(type);
    // As a view into a larger buffer, which is how bytes come from a socket.
    expect(detectImageType(Buffer.from(`ffff${hex}`, "hex").subarray(2))).toBe(type);
  });

  it.each(OTHERS)("is no image for %s", (_what, bytes) => {
    expect(detectImageType(bytes)).toBeNull();
  });

  it("is an answer for any bytes whatever", () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    const container = bytes.map((rest) => Buffer.concat([Buffer.from("\x00\x00\x00\x10ftyp"), rest]));

    fc.assert(
      fc.property(fc.oneof(bytes, container), (start) => {
        expect([null, ...IMAGE_TYPES]).toContain(detectImageType(start));
      }),
    );
  });
});

it("keeps an extension that fits the type and replaces any other", () => {
  expect(imageExtension("image/jpeg", "Photo.JPEG")).toBe("jpeg");
  expect(imageExtension("image/jpeg", "photo.jpg")).toBe("jpg");
  expect(imageExtension("image/png", "photo.jpg")).toBe("png");
  expect(imageExtension("image/png", "../../etc/passwd")).toBe("png");
  expect(imageExtension("image/gif", "gif")).toBe("gif");
  expect(imageExtension("image/webp", "page.html\u0000.svg")).toBe("webp");
});

it("leads from each extension back to its type", () => {
  expect(["png", "jpg", "jpeg", "webp", "gif", "avif"].map(imageTypeOf)).toEqual([
    "image/png",
    "image/jpeg",
    "image/jpeg",
    "image/webp",
    "image/gif",
    "image/avif",
  ]);
  expect(imageTypeOf("svg")).toBeNull();
});
