import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { newUploadKey, parseUploadKey } from "./upload-key.ts";

const REQUEST = {
  workspaceId: newId("workspace"),
  fileName: "logo.png",
  contentType: "image/png",
  contentLength: 1,
  now: 0,
} as const;

it("reads back every key that it makes, whatever the file was called", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom(...IMAGE_TYPES), (fileName, contentType) => {
      const key = newUploadKey({ ...REQUEST, fileName, contentType }, 1);

      expect(parseUploadKey(key)).toMatchObject({ workspaceId: REQUEST.workspaceId, contentType });
    }),
  );
});

it("takes no key with anything put into it, so that none leads elsewhere as a path", () => {
  const key = newUploadKey(REQUEST, 1);
  const inserted = fc.oneof(
    fc.constantFrom("/", "\\", "..", "../", "/..", "%2f", "\u0000", "\n", ".svg", "0", "a"),
    fc.string({ unit: "binary", minLength: 1 }),
  );

  fc.assert(
    fc.property(fc.nat(key.length), inserted, (at, text) => {
      expect(parseUploadKey(key.slice(0, at) + text + key.slice(at))).toBeNull();
    }),
    { numRuns: 3_000 },
  );
});

it("takes no key with anything left out of it", () => {
  const key = newUploadKey(REQUEST, 1);

  for (let at = 0; at < key.length; at += 1) {
    expect(parseUploadKey(key.slice(0, at) + key.slice(at + 1))).toBeNull();
  }
});
