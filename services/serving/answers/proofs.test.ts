import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { Proofs, proofIn } from "./proofs.ts";
import { windowAt } from "./window.ts";

const SECRET = "a secret for tests";
const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const ad = { id: newId("ad"), workspaceId: newId("workspace") };

function openProofs({ secret = SECRET, older = [] as string[], validMinutes = 15 } = {}): Proofs {
  return new Proofs({ secrets: [secret, ...older], validMinutes });
}

/** Handed out in the window that begins at noon. */
const proof = openProofs().of(ad, windowAt(NOON));

describe("a proof", () => {
  it("has 22 characters that no address encodes, and is the same in every process", () => {
    const [one, other] = [openProofs(), openProofs()];
    for (let window = 0; window < 5_000; window += 37) {
      const made = one.of(ad, window);
      expect(made).toMatch(/^[\w-]{22}$/);
      expect(other.of(ad, window)).toBe(made);
      expect(encodeURIComponent(made)).toBe(made);
    }
  });

  it("differs by ad, workspace, window and secret", () => {
    const window = windowAt(NOON);
    const others = [
      openProofs().of({ ...ad, id: newId("ad") }, window),
      openProofs().of({ ...ad, workspaceId: newId("workspace") }, window),
      openProofs().of(ad, window + 1),
      // Named by the same digits.
      openProofs().of(ad, window + 4_096),
      openProofs({ secret: "another" }).of(ad, window),
    ];

    for (const hash of [proof, ...others].map((one) => one.slice(2)))
      expect([proof, ...others].filter((one) => one.endsWith(hash))).toHaveLength(1);
  });

  it("is valid while its secret is among the older ones, and no longer", () => {
    const current = openProofs({ secret: "another" });
    const both = openProofs({ secret: "another", older: [SECRET] });

    expect([both.isValid(proof, ad, NOON), current.isValid(proof, ad, NOON)]).toEqual([true, false]);
    expect(both.of(ad, windowAt(NOON))).toBe(current.of(ad, windowAt(NOON)));
    expect(both.isValid(proof, { ...ad, id: newId("ad") }, NOON)).toBe(false);
  });

  it.each([1, 15, 1_440])(
    "is valid in its window and the %i minutes after it, whatever the minute",
    (validMinutes) => {
      const proofs = openProofs({ validMinutes });
      const last = NOON + MINUTE + validMinutes * MINUTE - 1;

      for (const now of [NOON, NOON + MINUTE - 1, NOON + MINUTE, last])
        expect(proofs.isValid(proof, ad, now), String(now - NOON)).toBe(true);
      for (const now of [last + MINUTE + 1, last + 60 * MINUTE, NOON + 4_096 * MINUTE])
        expect(proofs.isValid(proof, ad, now), String(now - NOON)).toBe(false);
    },
  );

  it("bears clocks that differ by a minute, and no more", () => {
    const isValidAt = (now: number) => openProofs().isValid(proof, ad, now);

    expect(isValidAt(NOON - MINUTE)).toBe(true);
    expect(isValidAt(NOON - MINUTE - 1)).toBe(false);
    expect(isValidAt(NOON + 17 * MINUTE - 1)).toBe(true);
    expect(isValidAt(NOON + 17 * MINUTE)).toBe(false);
  });

  it("proves nothing of another ad or workspace, nor where the secret is another", () => {
    const now = NOON + 5_000;

    expect(openProofs().isValid(proof, { ...ad, id: newId("ad") }, now)).toBe(false);
    expect(openProofs().isValid(proof, { ...ad, workspaceId: newId("workspace") }, now)).toBe(false);
    expect(openProofs({ secret: "another" }).isValid(proof, ad, now)).toBe(false);
  });

  it("cannot be moved to another window by the digits that name it", () => {
    const later = openProofs().of(ad, windowAt(NOON) + 30);

    expect(openProofs().isValid(`${later.slice(0, 2)}${proof.slice(2)}`, ad, NOON + 30 * MINUTE)).toBe(false);
  });

  it("is no other text, however close, long or strange", () => {
    const proofs = openProofs();
    const near = Array.from(proof, (_digit, index) => `${proof.slice(0, index)}!${proof.slice(index + 1)}`);
    const strange = ["", " ", proof.slice(1), `${proof}A`, `${proof}=`, ` ${proof}`, proof.toLowerCase()];
    const wide = [
      `${proof.slice(0, 21)}${String.fromCharCode(0x100 + proof.charCodeAt(21))}`,
      `${proof.slice(0, 20)}\ud83d\ude00`,
      "\0".repeat(22),
      "é".repeat(22),
    ];

    for (const text of [...near, ...strange, ...wide])
      expect(proofs.isValid(text, ad, NOON), text).toBe(false);
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 21, maxLength: 23 }),
        (text) => !proofs.isValid(text, ad, NOON),
      ),
    );
  });
});

describe("an address", () => {
  it.each([
    ["/v1/ads/ad_1/impressions", ""],
    ["/v1/ads/ad_1/impressions?", ""],
    ["/v1/ads/ad_1/impressions?proof", ""],
    ["/v1/ads/ad_1/impressions?proof=", ""],
    [`/v1/ads/ad_1/impressions?proof=${proof}`, proof],
    [`/v1/ads/ad_1/clicks?utm=1&proof=${proof}&x=2`, proof],
    [`/v1/ads/ad_1/click?proof=${proof}#proof=b`, proof],
    [`/v1/ads/ad_1/clicks?proof=a&proof=${proof}`, "a"],
    [`/v1/ads/ad_1/clicks?waterproof=${proof}`, ""],
    [`/v1/ads/proof=${proof}/clicks`, ""],
    [`/v1/ads/ad_1/clicks?proof[]=${proof}`, ""],
  ])("has its proof in %s", (url, given) => {
    expect(proofIn(url)).toBe(given);
  });
});
