import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfiguration } from "./configuration.ts";

const PUBLIC = { PUBLIC_URL: "https://ads.example.com" };
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
  [{ SEED: "much" }, 'SEED ("much"): must be "demo" or "none"'],
  [{ HOST: "0.0.0.0", PUBLIC_URL: "http://ads.example.com" }, /^Keys and passwords would cross the network/],
  [{ HOST: "0.0.0.0" }, /^Keys and passwords would cross the network/],
  [PUBLIC, /^Payments would be a sandbox that others can reach/],
  [{ HOST: "0.0.0.0", ALLOW_PLAIN_HTTP: "true" }, /^Payments would be a sandbox that others can reach/],
  [{ PAYMENTS: "stripe" }, "Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET."],
  [{ STRIPE_SECRET_KEY: "sk_test_1" }, "Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET."],
  [{ TLS_CERT_FILE: "cert.pem" }, "TLS needs both TLS_CERT_FILE and TLS_KEY_FILE."],
  [
    { TLS_CERT_FILE: "/nowhere/cert.pem", TLS_KEY_FILE: "/nowhere/key.pem" },
    "The TLS file /nowhere/cert.pem cannot be read.",
  ],
])("refuses %j", (environment, sentence) => {
  expect(() => readConfiguration(environment)).toThrow(sentence);
});

it("refuses TLS files that hold something else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "configuration-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "nonsense.pem");
  await writeFile(file, "nonsense");

  expect(() => readConfiguration({ TLS_CERT_FILE: file, TLS_KEY_FILE: file })).toThrow(
    /nonsense\.pem are no certificate and its key in PEM: .+\.$/,
  );
});

it.each([
  [{ ...PUBLIC, PAYMENTS: "sandbox" }, null],
  [
    { ...PUBLIC, ...STRIPE },
    { secretKey: "sk_test_1", webhookSecret: "whsec_1" },
  ],
  [{ ...STRIPE, PAYMENTS: "sandbox" }, null],
  [{ HOST: "0.0.0.0", ALLOW_PLAIN_HTTP: "true", PAYMENTS: "sandbox" }, null],
])("chooses the payment processor for %j", (environment, stripe) => {
  expect(readConfiguration(environment).stripe).toEqual(stripe);
});

it("gives the address that this machine is reached at", () => {
  const addresses = ["::1", "localhost"].map(
    (HOST) => readConfiguration({ HOST, PORT: "9000" }).publicUrl.origin,
  );

  expect(addresses).toEqual(["http://[::1]:9000", "http://localhost:9000"]);
});
