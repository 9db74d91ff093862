import { expect, it } from "vitest";
import { imageProblem, imageSizeOf } from "#libs/domain/image-header.ts";
import { DEMO_ADS, DEMO_WAITING } from "./content.ts";
import { drawPicture, PICTURE } from "./picture.ts";

it("draws a small, sound image for each ad of the demo, and none twice", () => {
  const pictures = [...DEMO_ADS, DEMO_WAITING].map(({ motif, palette }) => drawPicture(motif, palette));

  for (const picture of pictures) {
    expect(imageProblem(picture, "image/png")).toBe(null);
    expect(imageSizeOf(picture, "image/png")).toEqual(PICTURE);
    expect(picture.length).toBeLessThan(20_000);
  }
  expect(new Set(pictures.map((picture) => picture.toString("base64"))).size).toBe(pictures.length);
});
