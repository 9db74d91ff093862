import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { readConfiguration } from "./configuration.ts";

const PUBLIC = { PUBLIC_URL: "https://ads.example.com" };
const BUCKET = { S3_BUCKET: "placard-uploads", S3_REGION: "eu-central-1" };
const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };

it("runs on this machine alone, with the sandbox, when nothing is set", () => {
  const configuration = readConfiguration({});

  expect(configuration).toMatchObject({ host: "127.0.0.1", port: 8080, stripe: null, tls: undefined });
  expect(configuration.publicUrl.origin).toBe("http://127.0.0.1:8080");
});

it.each([
  [{ PORT: "abc" }, 'PORT ("abc"): must be a port number'],
  [{ PORT: "0" }, 'PORT ("0"): must be between 1 and 65535'],
  [{ PUBLIC_URL: "nonsense" }, 'PUBLIC_URL ("nonsense"): must be an http or https address'],
  [{ PUBLIC_URL: "https://example.com/ads" }, "must be an origin, without a path"],
  [{ EVENT_RETENTION_DAYS: "0" }, 'EVENT_RETENTION_DAYS ("0"): must be between 2 and 3650'],
  [{ EVENT_RETENTION_DAYS: "50000" }, 'EVENT_RETENTION_DAYS ("50000"): must be between 2 and 3650'],
  [{ SEED: "much" }, 'SEED ("much"): must be "demo" or "none"'],
  [{ HOST: "0.0.0.0", PUBLIC_URL: "http://ads.example.com" }, /^Keys and passwords would cross the network/],
  [{ HOST: "0.0.0.0" }, /^Keys and passwords would cross the network/],
  [PUBLIC, /^Payments would be a sandbox that others can reach/],
  [{ HOST: "0.0.0.0", ALLOW_PLAIN_HTTP: "true" }, /^Payments would be a sandbox that others can reach/],
  [{ SMTP_URL: "smtp://mail.example.com" }, "Emails need a sender: set MAIL_FROM beside SMTP_URL."],
  [{ SMTP_URL: "https://mail.example.com" }, "SMTP_URL: must be an smtp or smtps address"],
  [{ MAIL_FROM: "Placard" }, 'MAIL_FROM ("Placard"): must be an email address'],
  [{ PAYMENTS: "stripe" }, "Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET."],
  [{ STRIPE_SECRET_KEY: "sk_test_1" }, "Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET."],
  [{ ...STRIPE, STRIPE_SECRET_KEY: "pk_live_1" }, /^STRIPE_SECRET_KEY: must be a secret or a restricted key/],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "whsec_1,sk_2" }, /^STRIPE_WEBHOOK_SECRET: must be signing secrets/],
  [{ ...STRIPE, STRIPE_API_URL: "http://stripe.example.com" }, /^STRIPE_API_URL has to be https/],
  [{ ...STRIPE, STRIPE_API_URL: "https://stripe.example.com/v1" }, /^STRIPE_API_URL is an origin/],
  [
    { APPLICATION_FEE_PERCENT: "5" },
    "APPLICATION_FEE_PERCENT is taken from connected accounts: it needs CONNECT=true.",
  ],
  [
    { CONNECT: "true", APPLICATION_FEE_PERCENT: "2.555" },
    'APPLICATION_FEE_PERCENT ("2.555"): must have at most two decimals',
  ],
  [
    { CONNECT: "true", APPLICATION_FEE_PERCENT: "101" },
    'APPLICATION_FEE_PERCENT ("101"): must be between 0 and 100',
  ],
  [{ TRIAL_DAYS: "731" }, 'TRIAL_DAYS ("731"): must be between 0 and 730'],
  [{ S3_BUCKET: "No Bucket" }, 'S3_BUCKET ("No Bucket"): must be the name of a bucket'],
  [{ S3_BUCKET: "placard-uploads" }, "S3_BUCKET needs S3_REGION, or S3_ENDPOINT."],
  [{ S3_REGION: "eu-central-1" }, "S3_REGION has no effect without S3_BUCKET."],
  [{ S3_ACCESS_KEY_ID: "key" }, "S3_ACCESS_KEY_ID has no effect without S3_BUCKET."],
  [
    { ...BUCKET, S3_ACCESS_KEY_ID: "key" },
    "S3 needs both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither.",
  ],
  [
    { ...BUCKET, S3_SECRET_ACCESS_KEY: "secret" },
    "S3 needs both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither.",
  ],
  [
    { ...PUBLIC, ...STRIPE, ...BUCKET, S3_PUBLIC_URL: "http://cdn.example.com" },
    "S3_PUBLIC_URL must be https because PUBLIC_URL is: browsers would not show the images.",
  ],
  [
    { ...PUBLIC, ...STRIPE, S3_BUCKET: "placard-uploads", S3_ENDPOINT: "http://127.0.0.1:9000" },
    "S3_ENDPOINT must be https because PUBLIC_URL is: browsers would not show the images.",
  ],
  [{ TLS_CERT_FILE: "cert.pem" }, "TLS needs both TLS_CERT_FILE and TLS_KEY_FILE."],
  [
    { TLS_CERT_FILE: "/nowhere/cert.pem", TLS_KEY_FILE: "/nowhere/key.pem" },
    "The TLS file /nowhere/cert.pem cannot be read.",
  ],
])("refuses %j", (environment, sentence) => {
  expect(() => readConfiguration(environment)).toThrow(sentence);
});

it("refuses TLS files that hold something else", async () => {
  const file = join(await aFolder(), "nonsense.pem");
  await writeFile(file, "nonsense");

  expect(() => readConfiguration({ TLS_CERT_FILE: file, TLS_KEY_FILE: file })).toThrow(
    /nonsense\.pem are no certificate and its key in PEM: .+\.$/,
  );
});

it.each([
  [{ ...PUBLIC, PAYMENTS: "sandbox" }, null],
  [
    { ...PUBLIC, ...STRIPE },
    { secretKey: "sk_test_1", webhookSecret: ["whsec_1"] },
  ],
  [
    { ...STRIPE, STRIPE_WEBHOOK_SECRET: "whsec_1, whsec_2" },
    { secretKey: "sk_test_1", webhookSecret: ["whsec_1", "whsec_2"] },
  ],
  [
    { ...STRIPE, STRIPE_API_URL: "http://127.0.0.1:12111" },
    {
      secretKey: "sk_test_1",
      webhookSecret: ["whsec_1"],
      protocol: "http",
      host: "127.0.0.1",
      port: 12111,
    },
  ],
  [
    { ...PUBLIC, ...STRIPE, STRIPE_API_URL: "https://stripe.example.com" },
    {
      secretKey: "sk_test_1",
      webhookSecret: ["whsec_1"],
      protocol: "https",
      host: "stripe.example.com",
      port: 443,
    },
  ],
  [{ ...STRIPE, PAYMENTS: "sandbox" }, null],
  [{ HOST: "0.0.0.0", ALLOW_PLAIN_HTTP: "true", PAYMENTS: "sandbox" }, null],
])("chooses the payment processor for %j", (environment, stripe) => {
  expect(readConfiguration(environment).stripe).toEqual(stripe);
});

it("keeps uploads in the data folder unless there is a bucket, and finds Amazon's credentials by itself", () => {
  const chosen = [{}, BUCKET].map((environment) => readConfiguration(environment).bucket);

  expect(chosen).toEqual([
    null,
    {
      bucket: "placard-uploads",
      region: "eu-central-1",
      endpoint: undefined,
      forcePathStyle: false,
      publicUrl: undefined,
      credentials: undefined,
    },
  ]);
});

it("takes a store that is not Amazon's, with keys and a CDN", () => {
  const { bucket } = readConfiguration({
    S3_BUCKET: "placard-uploads",
    S3_ENDPOINT: "http://127.0.0.1:9000",
    S3_FORCE_PATH_STYLE: "true",
    S3_PUBLIC_URL: "https://cdn.example.com/ads",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  });

  expect(bucket).toEqual({
    bucket: "placard-uploads",
    region: "us-east-1",
    endpoint: "http://127.0.0.1:9000",
    forcePathStyle: true,
    publicUrl: new URL("https://cdn.example.com/ads"),
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  });
});

it("gives the address that this machine is reached at", () => {
  const addresses = ["::1", "localhost"].map(
    (HOST) => readConfiguration({ HOST, PORT: "9000" }).publicUrl.origin,
  );

  expect(addresses).toEqual(["http://[::1]:9000", "http://localhost:9000"]);
});
