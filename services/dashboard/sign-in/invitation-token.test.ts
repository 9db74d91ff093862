import { expect, it } from "vitest";
import { forgetInvitation, keepInvitation } from "./invitation-token.ts";

/** The session storage of a tab. */
function aTab(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

it("keeps the token of a link until after the sign-in", () => {
  const tab = aTab();

  expect(keepInvitation("#token=a%2Bb", tab)).toBe("a+b");
  expect(keepInvitation("", tab)).toBe("a+b");
});

it("replaces the token by that of a newer link", () => {
  const tab = aTab();
  keepInvitation("#token=first", tab);

  expect(keepInvitation("#token=second", tab)).toBe("second");
  expect(keepInvitation("", tab)).toBe("second");
});

it.each(["", "#", "#token=", "#other=1"])("finds no token in a link that ends in %j", (hash) => {
  expect(keepInvitation(hash, aTab())).toBeNull();
});

it("forgets a used token", () => {
  const tab = aTab();
  keepInvitation("#token=used", tab);

  forgetInvitation(tab);

  expect(keepInvitation("", tab)).toBeNull();
});
