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

it.each([
  [{ SECRET_KEY: "short" }, /^SECRET_KEY: must have at least 32 characters$/],
  [{ SECRET_KEY: "" }, /^SECRET_KEY: is needed: /],
  [{ KAFKA_BROKERS: "nonsense" }, /^KAFKA_BROKERS \("nonsense"\): must be /],
  [
    { SERVING_PROCESSES: "many" },
    /^SERVING_PROCESSES \("many"\): must be a whole number from 1 to 99, or auto$/,
  ],
  [{ SERVING_PROCESSES: "0" }, /^SERVING_PROCESSES \("0"\): must be a whole number from 1 to 99, or auto$/],
  [{ DATABASE_POOL_SIZE: "1" }, /^DATABASE_POOL_SIZE \("1"\): must be between 2 and 500$/],
  [{ PUBLIC_URL: "http://ads.example.com" }, /^Keys and passwords would cross the network unencrypted/],
  [{ TLS_CERT_FILE: "cert.pem" }, /^TLS needs both TLS_CERT_FILE and TLS_KEY_FILE\.$/],
])("refuses %j", (environment, sentence) => {
  expect(() => readConfiguration({ ...NEEDED, ...environment })).toThrow(sentence);
});
