import { processEnvironment } from "#libs/config/environment.ts";

const NEEDED = [
  "STRIPE_MOCK_URL",
  "S3_TEST_ENDPOINT",
  "S3_TEST_ACCESS_KEY_ID",
  "S3_TEST_SECRET_ACCESS_KEY",
  "REDIS_TEST_URL",
  "REDIS_CLUSTER_TEST_URL",
  "KAFKA_TEST_BROKERS",
  "CLICKHOUSE_TEST_URL",
  "CLICKHOUSE_TEST_USER",
  "CLICKHOUSE_TEST_PASSWORD",
  "POSTGRES_TEST_URL",
  "NGINX_BINARY",
] as const;

/** Fails the run where `up` has not set the environment: tests that skip prove nothing. */
export function setup(): void {
  const missing = NEEDED.filter((name) => (processEnvironment()[name] ?? "") === "");
  if (missing.length === 0) return;
  throw new Error(`The engines are not up (no ${missing.join(", ")}). Start them: eval "$(infra/native/up)"`);
}
