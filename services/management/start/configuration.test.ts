import { expect, it } from "vitest";
import { readConfiguration } from "./configuration.ts";

const NEEDED = {
  SECRET_KEY: "a-secret-of-more-than-thirty-two-characters",
  PUBLIC_URL: "https://ads.example.com",
  DATABASE_URL: "postgres://user:password@127.0.0.1/placard",
  REDIS_URL: "redis://127.0.0.1",
  CLICKHOUSE_URL: "http://127.0.0.1:8123",
  S3_BUCKET: "placard-uploads",
  S3_REGION: "eu-central-1",
  PAYMENTS: "sandbox",
};

it("takes what it needs, on a port of its own", () => {
  expect(readConfiguration(NEEDED)).toMatchObject({
    port: 8082,
    stripe: null,
    bucket: { bucket: "placard-uploads" },
  });
});

it("asks for a sandbox by name, also on this machine: its address says nothing of who comes through the proxy", () => {
  const local = { ...NEEDED, PUBLIC_URL: "http://127.0.0.1:8080", PAYMENTS: "" };

  expect(() => readConfiguration(local)).toThrow(/^Payments would be a sandbox that others can reach/);
});

it.each([
  [{ CLICKHOUSE_URL: "" }, /^CLICKHOUSE_URL: is needed: /],
  [{ S3_BUCKET: "", S3_REGION: "" }, /^Uploads need a bucket: set S3_BUCKET\./],
  [{ SMTP_URL: "smtp://mail.example.com" }, /^Emails need a sender/],
  [{ PAYMENTS: "stripe" }, /^Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET\.$/],
])("refuses %j", (environment, sentence) => {
  expect(() => readConfiguration({ ...NEEDED, ...environment })).toThrow(sentence);
});
