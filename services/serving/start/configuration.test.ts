import { expect, it } from "vitest";
import { readConfiguration } from "./configuration.ts";

const NEEDED = {
  SECRET_KEY: "a-secret-of-more-than-thirty-two-characters",
  PUBLIC_URL: "https://ads.example.com",
  DATABASE_URL: "postgres://user:password@127.0.0.1/placard",
  REDIS_URL: "redis://127.0.0.1",
  KAFKA_BROKERS: "kafka-1:9092, kafka-2:9092",
};

it("takes what it needs, and has one process on a port of its own", () => {
  expect(readConfiguration(NEEDED)).toMatchObject({
    port: 8081,
    servingProcesses: 1,
    kafkaBrokers: ["kafka-1:9092", "kafka-2:9092"],
    publicUrl: new URL("https://ads.example.com"),
  });
  expect(readConfiguration({ ...NEEDED, SERVING_PROCESSES: "auto" }).servingProcesses).toBe("auto");
});

it("takes several nodes of a Redis Cluster", () => {
  const nodes = "redis://u:p@one:6379, redis://u:p@two:6379/0,";

  expect(readConfiguration({ ...NEEDED, REDIS_URL: nodes }).redisUrl).toBe(
    "redis://u:p@one:6379,redis://u:p@two:6379/0",
  );
});

it.each([
  [{ SECRET_KEY: "short" }, /^SECRET_KEY: must have at least 32 characters$/],
  [{ SECRET_KEY: "" }, /^SECRET_KEY: is needed: /],
  [{ KAFKA_BROKERS: "nonsense" }, /^KAFKA_BROKERS \("nonsense"\): must be /],
  [
    { SERVING_PROCESSES: "many" },
    /^SERVING_PROCESSES \("many"\): must be a whole number from 1 to 99, or auto$/,
  ],
  [{ SERVING_PROCESSES: "0" }, /^SERVING_PROCESSES \("0"\): must be a whole number from 1 to 99, or auto$/],
  [
    { REDIS_URL: "http://127.0.0.1" },
    /^REDIS_URL: must be redis:\/\/ or rediss:\/\/, several nodes of a cluster/,
  ],
  [{ REDIS_URL: "redis://one,two:6379" }, /^REDIS_URL: must be redis:\/\/ or rediss:\/\/, several/],
  [{ REDIS_URL: "redis://one,rediss://two" }, /^REDIS_URL: must be redis:\/\/ for all nodes/],
  [{ REDIS_URL: "redis://one/1,redis://two/1" }, /^REDIS_URL: must name no database where it names several/],
  [{ REDIS_URL: "redis://:a@one,redis://:b@two" }, /^REDIS_URL: must have the same user and password/],
  [{ DATABASE_POOL_SIZE: "1" }, /^DATABASE_POOL_SIZE \("1"\): must be between 2 and 500$/],
  [{ PUBLIC_URL: "http://ads.example.com" }, /^Keys and passwords would cross the network unencrypted/],
  [{ TLS_CERT_FILE: "cert.pem" }, /^TLS needs both TLS_CERT_FILE and TLS_KEY_FILE\.$/],
])("refuses %j", (environment, sentence) => {
  expect(() => readConfiguration({ ...NEEDED, ...environment })).toThrow(sentence);
});
