import { DefaultQueryExecutor } from "kysely";
import pg from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { ApiCaller } from "./callers.ts";
import { envelope } from "./envelope.ts";
import { startManagement } from "./management.ts";
import { anApprovedAd, aPublisher } from "./story.ts";

const service = await startManagement();
const publisher = await aPublisher(service);
const ad = await anApprovedAd(service, publisher);

afterEach(() => void vi.restoreAllMocks());

/** Every query is refused, with what pg says where nothing listens; the background tasks keep their connections. */
async function takeDatabaseAway(): Promise<void> {
  const nowhere = new pg.Client({ host: "127.0.0.1", port: 1 });
  const refusal = await nowhere.connect().catch((error: unknown) => error);
  // Replaces the class's method, because the handle of a workspace has its own executor.
  vi.spyOn(DefaultQueryExecutor.prototype, "provideConnection").mockRejectedValue(refusal);
}

it("answers 503 with Retry-After, not 500, while the database is away", async () => {
  const anybody = new ApiCaller(service.origin);
  const calls = [
    ["a key", () => publisher.caller.request("GET", `${ad.path}`)],
    ["a session", () => publisher.person.caller.request("GET", publisher.path)],
    ["nobody", () => anybody.request("GET", ad.checkout.path)],
    [
      "a buyer",
      () =>
        anybody.request("POST", `${publisher.path}/checkout-sessions`, {
          tierPriceId: ad.tier.prices[0]?.id,
        }),
    ],
    [
      "a sign-in",
      () =>
        anybody.request("POST", "/api/auth/sign-in/email", {
          email: publisher.person.email,
          password: "correct horse battery",
        }),
    ],
  ] as const;
  await takeDatabaseAway();

  for (const [who, call] of calls) {
    const answer = await call();

    expect(answer.status, `${who}: ${answer.text}`).toBe(503);
    expect(Number(answer.headers.get("retry-after")), who).toBeGreaterThanOrEqual(1);
    expect(envelope.parse(JSON.parse(answer.text)).code, who).toBe("SERVICE_UNAVAILABLE");
  }
});

it("shows advertisers a page with 503 while the database is away, and the usual one afterwards", async () => {
  const anybody = new ApiCaller(service.origin);
  const page = `/advertise/${publisher.workspace.slug}`;
  await takeDatabaseAway();

  const away = await anybody.request("GET", page);
  vi.restoreAllMocks();
  const back = await anybody.request("GET", page);

  expect(away.status).toBe(503);
  expect(away.text).toContain("Not available right now");
  expect(back.status).toBe(200);
});
