import { z } from "zod";
import { secret, setting } from "./setting.ts";
import { allowPlainLogins } from "./settings-plain-logins.ts";
import { flag, wholeNumber } from "./shapes.ts";

const positive = wholeNumber.min(1, "must be 1 or more");

/** The event log in Apache Kafka. */
export const kafkaSettings = {
  kafkaBrokers: setting(
    "KAFKA_BROKERS",
    z
      .string()
      .transform((given) => given.split(",").map((one) => one.trim()))
      .refine((brokers) => brokers.every((one) => /^[^\s:/]+:\d{1,5}$/.test(one)), {
        message: "must be host:port, several joined by commas",
      })
      .optional(),
    "Comma-joined host:port of some brokers of Kafka; they name the others. Default none: a single process keeps its log in DATA_DIR.",
  ),
  kafkaTopic: setting(
    "KAFKA_TOPIC",
    z
      .string()
      .regex(/^[\w.-]{1,200}$/, "must be letters, digits, dots, dashes and underscores")
      .default("placard-events"),
    "Topic of the events, made where it is missing; refused lines go to the same name with -dead-letters. Never give another installation's. Default placard-events.",
  ),
  kafkaPartitions: setting(
    "KAFKA_PARTITIONS",
    positive.max(10_000, "must be at most 10000").default(12),
    "Partitions of the topic, the most ingestion processes that can share the work. A topic with fewer is grown, none is shrunk. Default 12.",
  ),
  kafkaReplication: setting(
    "KAFKA_REPLICATION",
    positive.max(100, "must be at most 100").optional(),
    "Brokers that keep a copy of each event, when the topic is made. With 3, each event is on two brokers before it is acknowledged, and one broker may be away. With 1, an acknowledged event is lost with its broker's disk, or with its broker's power while it is not on the disk yet; every start says so. Default: as many as there are brokers, 3 at most.",
  ),
  kafkaRetentionHours: setting(
    "KAFKA_RETENTION_HOURS",
    positive.default(168),
    "How long the topic keeps events, in hours, when it is made: an outage of ClickHouse must not last longer. Default 168, a week.",
  ),
  kafkaSsl: setting(
    "KAFKA_SSL",
    flag.default(false),
    "Whether connections to Kafka are encrypted. Default false.",
  ),
  kafkaCaFile: setting(
    "KAFKA_CA_FILE",
    z.string().optional(),
    "PEM certificate of the authority that signed the certificates of the brokers; needs KAFKA_SSL. Default: the authorities that Node knows.",
  ),
  kafkaCertFile: setting(
    "KAFKA_CERT_FILE",
    z.string().optional(),
    "PEM certificate that the brokers know us by, with KAFKA_KEY_FILE; needs KAFKA_SSL. Default none.",
  ),
  kafkaKeyFile: setting(
    "KAFKA_KEY_FILE",
    z.string().optional(),
    "PEM private key of KAFKA_CERT_FILE. Default none.",
  ),
  allowPlainLogins,
  kafkaSaslMechanism: setting(
    "KAFKA_SASL_MECHANISM",
    z
      .enum(["plain", "scram-sha-256", "scram-sha-512"], "must be plain, scram-sha-256 or scram-sha-512")
      .optional(),
    "How to log in at Kafka: plain, scram-sha-256 or scram-sha-512. plain sends the password itself and needs KAFKA_SSL. Default none.",
  ),
  kafkaSaslUsername: setting(
    "KAFKA_SASL_USERNAME",
    z.string().optional(),
    "User for KAFKA_SASL_MECHANISM. Default none.",
  ),
  kafkaSaslPassword: secret(
    "KAFKA_SASL_PASSWORD",
    z.string().optional(),
    "Password of KAFKA_SASL_USERNAME. Default none.",
  ),
};
