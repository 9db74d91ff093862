import { expect, it } from "vitest";
import { deriveSecrets } from "./secrets.ts";

const KEY = "a-secret-of-more-than-thirty-two-characters";

it("derives the same secrets in every process, each another, and none of them the key", () => {
  const secrets = Object.values(deriveSecrets(KEY));

  expect(Object.values(deriveSecrets(KEY))).toEqual(secrets);
  expect(new Set(secrets).size).toBe(secrets.length);
  expect(secrets.join()).not.toContain(KEY);
  expect(deriveSecrets(`${KEY}!`).sessions).not.toBe(deriveSecrets(KEY).sessions);
});
