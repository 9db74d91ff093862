import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { IMAGE_SIGNATURE_BYTES, IMAGE_TYPES, type ImageType } from "./image.ts";
import { IMAGE_HEADER_BYTES, imageProblem, imageSizeOf } from "./image-header.ts";
import { LONGEST_SIDE } from "./image-rules.ts";

/** The beginning of an image of each type, as long as its size needs. */
const MAKE: Readonly<Record<ImageType, (width: number, height: number) => Buffer>> = {
  "image/png": (width, height) => {
    const header = Buffer.from("89504e470d0a1a0a0000000d494844520000000000000000080600000000000000", "hex");
    header.writeUInt32BE(width, 16);
    header.writeUInt32BE(height, 20);
    return header;
  },
  "image/jpeg": (width, height) => {
    const header = Buffer.from(
      "ffd8ffe000104a46494600010100000100010000ffc0001108000000000301220002110103110100",
      "hex",
    );
    header.writeUInt16BE(height, 25);
    header.writeUInt16BE(width, 27);
    return Buffer.concat([header], 120);
  },
  "image/gif": (width, height) => {
    const header = Buffer.from("GIF89a\0\0\0\0\0\0\0", "latin1");
    header.writeUInt16LE(width & 0xffff, 6);
    header.writeUInt16LE(height & 0xffff, 8);
    return header;
  },
  "image/webp": (width, height) => {
    const header = Buffer.from(`RIFF\0\0\0\0WEBPVP8X\n${"\0".repeat(13)}`, "latin1");
    header.writeUIntLE(width - 1, 24, 3);
    header.writeUIntLE(height - 1, 27, 3);
    return header;
  },
  "image/avif": (width, height) => anAvif(sizeBox(width, height)),
};

function box(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, content]);
}

function sizeBox(width: number, height: number): Buffer {
  const size = Buffer.alloc(12);
  size.writeUInt32BE(width, 4);
  size.writeUInt32BE(height, 8);
  return box("ispe", size);
}

function anAvif(...properties: Buffer[]): Buffer {
  const meta = box("meta", Buffer.alloc(4), box("iprp", box("ipco", ...properties)));
  const start = Buffer.concat([box("ftyp", Buffer.from("avif\0\0\0\0avifmif1", "latin1")), meta]);
  return Buffer.concat([start], Math.max(200, start.length));
}

/** Bytes of the header that `MAKE` makes. */
const HEADER: Readonly<Record<ImageType, number>> = {
  "image/png": 33,
  "image/jpeg": 39,
  "image/gif": 13,
  "image/webp": 26,
  "image/avif": 80,
};

describe.each(IMAGE_TYPES)("a file that should be %s", (type) => {
  it("may have any size that browsers show without harm", () => {
    for (const [width, height] of [
      [1, 1],
      [300, 250],
      [LONGEST_SIDE, 1],
      [1, LONGEST_SIDE],
      [4096, 4096],
    ] as const) {
      expect(imageProblem(MAKE[type](width, height), type)).toBeNull();
    }
  });

  it("is refused when it would unpack to more than that", () => {
    for (const [width, height] of [
      [LONGEST_SIDE + 1, 1],
      [1, LONGEST_SIDE + 1],
      [4097, 4096],
      [0xffff, 0xffff],
    ] as const) {
      expect(imageProblem(MAKE[type](width, height), type)).toMatch(/^The image has \d+ × \d+ pixels; /);
    }
  });

  it("is refused when it is of another type, a page or a drawing that may hold scripts", () => {
    const others = IMAGE_TYPES.filter((other) => other !== type).map((other) => MAKE[other](10, 10));
    const pages = ["<!doctype html>", "<svg xmlns='http://www.w3.org/2000/svg'/>", "", "GIF8"].map((text) =>
      Buffer.from(text),
    );

    for (const file of [...others, ...pages]) {
      expect(imageProblem(file, type)).toBe(`The file is no image of the type ${type}.`);
    }
  });

  it("is refused when it breaks off in its header", () => {
    for (const length of [IMAGE_SIGNATURE_BYTES, 32, 24, 16, 12, 8].filter((most) => most < HEADER[type])) {
      const start = MAKE[type](300, 250).subarray(0, length);

      expect(imageProblem(start, type), String(length)).toMatch(/^The (image is damaged|file is no image)/);
    }
  });

  it("never makes the check fail, whatever follows its first bytes", () => {
    const signature = MAKE[type](300, 250).subarray(0, 24);

    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (rest) => {
        const reason = imageProblem(Buffer.concat([signature, rest]), type);

        expect(reason === null || reason.endsWith(".")).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

it("refuses an image without pixels", () => {
  expect(imageProblem(MAKE["image/png"](0, 10), "image/png")).toBe("The image has no pixels.");
});

it("reads no more than the beginning, so that no file can keep it busy", () => {
  const late = MAKE["image/jpeg"](300, 250);
  const filled = Buffer.concat([late.subarray(0, 20), Buffer.alloc(IMAGE_HEADER_BYTES), late.subarray(20)]);

  expect(imageProblem(filled, "image/jpeg")).toBe("The image is damaged: its size cannot be read.");
});

it("reads the size of every type, and of a photograph as it is turned", () => {
  for (const type of IMAGE_TYPES) {
    expect(imageSizeOf(MAKE[type](300, 250), type)).toEqual({ width: 300, height: 250 });
  }
  const turned = Buffer.from(
    "ffd8ffe1002245786966000049492a000800000001001201030001000000060000000000000000",
    "hex",
  );
  const rest = MAKE["image/jpeg"](300, 250).subarray(20);
  expect(imageSizeOf(Buffer.concat([turned.subarray(0, 38), rest], 160), "image/jpeg")).toEqual({
    width: 250,
    height: 300,
  });
  expect(imageSizeOf(Buffer.from("no image"), "image/png")).toBe(null);
});

describe("an AVIF", () => {
  it("has the largest of its sizes, whatever it says of cropping", () => {
    const tiled = anAvif(sizeBox(512, 512), sizeBox(4_000, 3_000), sizeBox(160, 120));
    const crop = Buffer.concat([Buffer.alloc(4), Buffer.from("\0\0\xea\x56", "latin1"), Buffer.alloc(24)]);
    const cropped = anAvif(sizeBox(60_000, 200), box("clap", crop));

    expect(imageSizeOf(tiled, "image/avif")).toEqual({ width: 4_000, height: 3_000 });
    expect(imageProblem(cropped, "image/avif")).toMatch(/^The image has 60000 × 200 pixels; /);
  });

  it("has a size where its header is longer than what is looked at, and where its words look like a box", () => {
    const profile = box("colr", Buffer.alloc(IMAGE_HEADER_BYTES));
    const title = Buffer.from("a whisper", "latin1");

    const long = anAvif(sizeBox(300, 250), profile).subarray(0, IMAGE_HEADER_BYTES);
    expect(imageSizeOf(long, "image/avif")).toEqual({ width: 300, height: 250 });
    expect(imageSizeOf(anAvif(sizeBox(300, 250), box("xml ", title)), "image/avif")).not.toBeNull();
  });

  it("is damaged where a size has another form, which browsers may read", () => {
    const long = Buffer.concat([
      Buffer.from("\0\0\0\x01ispe\0\0\0\0\0\0\0\x1c", "latin1"),
      Buffer.alloc(12, 0xff),
    ]);

    expect(imageSizeOf(anAvif(sizeBox(10, 10), long), "image/avif")).toBeNull();
    expect(imageSizeOf(anAvif(), "image/avif")).toBeNull();
  });
});

describe("a JPEG", () => {
  const whole = MAKE["image/jpeg"](300, 250);
  const segment = Buffer.from("ffe00002", "hex");
  const exif = Buffer.from("ffe1000845786966ffff", "hex");

  it("has its size behind anything that browsers skip, and none behind its picture or its end", () => {
    const filled = (text: string) =>
      Buffer.concat([whole.subarray(0, 20), Buffer.from(text, "hex"), whole.subarray(20)]);

    for (const skipped of ["0001", "ff", "ff00", "ffd0ff01", "ffe00002", "ffe10008457869660000"]) {
      expect(imageSizeOf(filled(skipped), "image/jpeg"), skipped).toEqual({ width: 300, height: 250 });
    }
    for (const last of ["ffda0002", "ffd90002", "ffe00001"]) {
      expect(imageSizeOf(filled(last), "image/jpeg"), last).toBeNull();
    }
  });

  it.each([
    ["no segments", Buffer.from("0001", "hex")],
    ["filling", Buffer.from("ff", "hex")],
    ["segments without content", segment],
    ["segments that should tell how it is turned", exif],
  ])("shows the decoder none of a made-up file of %s", (_what, filling) => {
    const cut = vi.spyOn(Buffer.prototype, "subarray");
    onTestFinished(() => void vi.restoreAllMocks());
    const file = Buffer.concat([
      whole.subarray(0, 20),
      Buffer.alloc(IMAGE_HEADER_BYTES - 200, filling),
      whole.subarray(20),
    ]);

    imageSizeOf(file, "image/jpeg");

    expect(cut.mock.calls.length).toBeLessThan(20);
  });
});

it.each(IMAGE_TYPES)("reads a made-up file of many sizes once, whatever it was sent as: %s", (type) => {
  const sizes = Array.from({ length: 2_000 }, () => sizeBox(10, 10));
  const file = anAvif(...sizes, Buffer.alloc(24_000));
  const reads = [
    vi.spyOn(DataView.prototype, "getUint32"),
    vi.spyOn(Buffer.prototype, "readUInt32BE"),
    vi.spyOn(Buffer.prototype, "indexOf"),
  ];
  onTestFinished(() => void vi.restoreAllMocks());

  expect(imageSizeOf(file, type)).toEqual(type === "image/avif" ? { width: 10, height: 10 } : null);

  const made = reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  expect(made).toBeLessThan(file.length);
});
