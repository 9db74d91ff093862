import { expect, it } from "vitest";
import { deriveSecrets } from "./secrets.ts";

const KEY = "a-secret-of-more-than-thirty-two-characters";

it("derives the same secrets in every process, each another, and none of them the key", () => {
  const secrets = Object.values(deriveSecrets([KEY])).flat();

  expect(Object.values(deriveSecrets([KEY])).flat()).toEqual(secrets);
  expect(new Set(secrets).size).toBe(secrets.length);
  expect(secrets.join()).not.toContain(KEY);
  expect(deriveSecrets([`${KEY}!`]).sessions).not.toEqual(deriveSecrets([KEY]).sessions);
});

it("puts what comes from the first key first, and behind it what older keys gave", () => {
  const [older, newer] = [deriveSecrets([KEY]), deriveSecrets([`${KEY}!`])];

  const both = deriveSecrets([`${KEY}!`, KEY]);

  expect(both).toEqual({
    ...newer,
    sessions: [...newer.sessions, ...older.sessions],
    proofs: [...newer.proofs, ...older.proofs],
    sandboxWebhooks: [...newer.sandboxWebhooks, ...older.sandboxWebhooks],
  });
});
