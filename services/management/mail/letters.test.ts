import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { purchaseLetter } from "./advertiser-letters.ts";
import { cancellationNotice } from "./cancellation-notices.ts";
import { decisionLetter } from "./decision-letters.ts";
import { renderText } from "./render-text.ts";
import { canceledLetter, paymentFailedLetter } from "./subscription-letters.ts";
import { everyLetter } from "./tests/every-letter.ts";

const sale = {
  workspace: "Example Weekly",
  advertiser: "Example Coffee",
  ad: "Fresh beans",
  tier: "Gold",
  price: { amount: 4900, currency: "jpy", interval: "Month", intervalCount: 3 },
  url: "https://ads.example/x",
} as const;
const owed = {
  state: "owed",
  hasAd: true,
  costs: "its price",
  end: null,
  brings: "rest",
  liveUntil: null,
} as const;
const end = { at: new Date("2026-12-01T00:00:00Z"), isRenewed: false };
const running = { state: "running", hasAd: true, costs: "its price", end } as const;

it("holds every letter that there is to the rules below", async () => {
  const files = globSync("*-{letter,letters,notices}.ts", { cwd: import.meta.dirname });
  const modules = await Promise.all(
    files.map((file): Promise<object> => import(join(import.meta.dirname, file))),
  );
  const letters = modules
    .flatMap((module) => Object.keys(module))
    .filter((name) => /(Letter|Notice|Report)$/.test(name));
  const held = ["every-letter.ts", "letters-of-outlooks.ts"]
    .map((file) => readFileSync(join(import.meta.dirname, "tests", file), "utf8"))
    .join("");

  expect(letters.length).toBeGreaterThan(25);
  expect(letters.filter((name) => !held.includes(`${name}(`))).toEqual([]);
});

it("starts every sentence with a capital letter", () => {
  for (const [name, letter] of everyLetter({ name: "Ada", note: "Fine." })) {
    const sentences = letter.blocks
      .flatMap((block) => (typeof block === "string" ? [block] : []))
      .concat(letter.preheader, letter.footer)
      .flatMap((text) => text.split(/(?<=[.?!]) /));

    for (const sentence of sentences) expect(sentence, name).toMatch(/^“?[\p{Lu}\p{N}]/u);
  }
});

it("names the purchase and its interval, in the currency's own units", () => {
  expect(renderText(paymentFailedLetter({ ...sale, outlook: owed, paid: null }))).toContain(
    "Your payment to Example Weekly for “Fresh beans” in Gold (¥4,900 every 3 months) failed.",
  );
});

it("thanks for a purchase with its terms: the price, the end of the trial, or that it is free", () => {
  const trialEnd = new Date("2026-12-01T00:00:00Z");
  const price = { ...sale.price, amount: 0 };
  const chargeAt = "purchase";

  const begins = (facts: Parameters<typeof purchaseLetter>[0]) =>
    renderText(purchaseLetter(facts))
      .split("\n")
      .find((line) => line.startsWith("Thanks"));

  expect(begins({ ...sale, trialEnd: null, chargeAt })).toBe(
    "Thanks for buying Gold on Example Weekly (¥4,900 every 3 months).",
  );
  expect(begins({ ...sale, trialEnd, chargeAt })).toContain(
    "(free until December 1, 2026, then ¥4,900 every 3 months).",
  );
  expect(begins({ ...sale, price, trialEnd: null, chargeAt })).toContain("(free).");
});

it("greets buyers by name, but for a free tier, and puts the terms of the charge after the button", () => {
  const facts = { ...sale, trialEnd: null, chargeAt: "purchase" } as const;
  const { blocks } = purchaseLetter(facts);
  const free = purchaseLetter({ ...facts, price: { ...sale.price, amount: 0 } });

  const button = blocks.findIndex((block) => typeof block !== "string" && block.kind === "link");
  const terms = blocks.findIndex((block) => typeof block === "string" && block.includes("renews only once"));
  expect([blocks[0], free.blocks[0]]).toEqual(["Hi Example Coffee,", "Hi,"]);
  expect(button).toBeLessThan(terms);
});

it("says that an approved ad is live, and when a canceled one stops", () => {
  const approved = decisionLetter({ ...sale, decision: "ad-approved", note: null, isPaid: true });
  const canceled = (hasAd: boolean) =>
    renderText(canceledLetter({ ...sale, end, outlook: { ...running, hasAd } }));

  expect(renderText(approved)).toContain("Your ad “Fresh beans” is live on Example Weekly.");
  expect(canceled(true)).toContain(
    "Your ad keeps running until December 1, 2026. You won't be charged for another period.",
  );
  expect(canceled(false)).toContain("Your subscription ends on December 1, 2026.");
});

it("says for a rejected ad that nothing more is charged, and nothing refunded automatically", () => {
  const facts = { ...sale, decision: "ad-rejected", note: "No coffee here." } as const;

  const paid = renderText(decisionLetter({ ...facts, isPaid: true }));
  const free = renderText(decisionLetter({ ...facts, isPaid: false }));

  expect(paid).toContain("Its subscription has ended.\n\n  No coffee here.\n");
  expect(paid).toContain("You won't be charged again. Your payment isn't refunded automatically.");
  expect(free).toContain("You won't be charged.");
  expect(free).not.toContain("refund");
});

it("names the day of a planned end, and says when a subscription has ended", () => {
  const ended = {
    ...sale,
    outlook: null,
    comment: null,
    unused: 0,
    unshown: null,
    isPaid: false,
  } as const;
  const planned = { ...ended, outlook: running, comment: "Too dear" };

  expect(renderText(cancellationNotice(planned))).toContain(
    "stays live until December 1, 2026, then the subscription ends.\n\nReason given:\n\n  Too dear",
  );
  expect(
    renderText(cancellationNotice({ ...planned, outlook: { ...running, hasAd: false }, ad: null })),
  ).toContain("The subscription ends on December 1, 2026. There's no ad yet.");
  expect(renderText(cancellationNotice(ended))).toContain("has ended.");
});
