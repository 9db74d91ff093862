/** Example values of the variables that infra/compose/make-env writes. */
export const EXAMPLE_ENV = {
  PUBLIC_URL: "http://placard.localhost:8080",
  PUBLIC_HOST: "placard.localhost",
  ALLOW_PLAIN_HTTP: "true",
  PAYMENTS: "sandbox",
  COMPOSE_PROFILES: "postgres,redis,kafka,clickhouse,minio",
  SECRET_KEY: "0".repeat(64),
  POSTGRES_PASSWORD: "1".repeat(64),
  REDIS_PASSWORD: "2".repeat(64),
  CLICKHOUSE_PASSWORD: "3".repeat(64),
  MINIO_ROOT_PASSWORD: "4".repeat(64),
  S3_SECRET_ACCESS_KEY: "5".repeat(64),
  GRAFANA_PASSWORD: "6".repeat(64),
};
