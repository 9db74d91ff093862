import { expect, it } from "vitest";
import { perVerdict, VERDICTS } from "#libs/domain/event.ts";
import { startManagement } from "../../tests/management.ts";
import { countingPage, REASONS } from "./page.ts";

it("shows anybody every reason not to count, in the order in which they are looked for, and this installation's limits", async () => {
  const service = await startManagement();
  const page = await fetch(`${service.origin}/v1/docs/counting`);
  const text = await page.text();

  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(REASONS.toSorted()).toEqual(VERDICTS.filter((verdict) => verdict !== "valid").toSorted());
  const titles = perVerdict(({ title }) => title);
  expect([...text.matchAll(/<th scope="row">([^<]*)<\/th><td><code>/g)].map(([, title]) => title)).toEqual(
    REASONS.map((verdict) => titles[verdict]),
  );
  const { impressionsPerMinute, clicksPerMinute } = service.services.usualLimits;
  expect(text).toContain(
    `${impressionsPerMinute} impressions and ${clicksPerMinute} clicks of an ad a minute`,
  );
  expect(text).toContain("Within 10 seconds of an impression that counts, and 2 of a click.");
});

it("names a limit that is off", () => {
  expect(countingPage({ impressionsPerMinute: 0, clicksPerMinute: 4 })).toContain(
    "any number of impressions and 4 clicks of an ad a minute",
  );
});
