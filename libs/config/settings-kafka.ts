import { z } from "zod";
import { secret, setting } from "./setting.ts";
import { allowPlainLogins } from "./settings-clickhouse.ts";
import { atLeast, between, flag } from "./shapes.ts";

const LEAST_BYTES = 64 * 1024;
/** Above what makes a message late: an original that comes behind its repetition has to be known by that. */
const LEAST_QUARANTINE = 12;

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
    "Comma-joined host:port of some Kafka brokers; they name the others.",
    "a single process keeps its log in DATA_DIR",
  ),
  kafkaTopic: setting(
    "KAFKA_TOPIC",
    z
      .string()
      .regex(/^[\w.-]{1,200}$/, "must be letters, digits, dots, dashes and underscores")
      .default("placard-events"),
    "Topic of the events, created if missing. Refused lines go to the topic of that name with -dead-letters. Two installations must not share a topic.",
  ),
  kafkaPartitions: setting(
    "KAFKA_PARTITIONS",
    between(1, 10_000).default(12),
    "Partitions of the topic: the most ingestion processes that can share the work. A topic with fewer partitions is grown, none is shrunk.",
  ),
  kafkaReplication: setting(
    "KAFKA_REPLICATION",
    between(1, 100).optional(),
    "Copies of each event on different brokers, when the topic is created. With 3, two brokers have an event before it is acknowledged, and one broker may be away. With 1, an acknowledged event is lost with its broker's disk, or with its broker's power before it is on the disk; every start warns of that.",
    "as many as there are brokers, 3 at most",
  ),
  kafkaRetentionHours: setting(
    "KAFKA_RETENTION_HOURS",
    atLeast(1).default(168),
    "Hours that the topic keeps events, when it is created. An outage of ClickHouse must not last longer.",
    ", a week",
  ),
  kafkaSsl: setting("KAFKA_SSL", flag.default(false), "Encrypts connections to Kafka."),
  kafkaCaFile: setting(
    "KAFKA_CA_FILE",
    z.string().optional(),
    "PEM certificate of the authority that signed the certificates of the brokers; needs KAFKA_SSL.",
    "the authorities that Node knows",
  ),
  kafkaCertFile: setting(
    "KAFKA_CERT_FILE",
    z.string().optional(),
    "PEM certificate that identifies Placard to the brokers, with KAFKA_KEY_FILE; needs KAFKA_SSL.",
  ),
  kafkaKeyFile: setting("KAFKA_KEY_FILE", z.string().optional(), "PEM private key of KAFKA_CERT_FILE."),
  allowPlainLogins,
  kafkaSaslMechanism: setting(
    "KAFKA_SASL_MECHANISM",
    z
      .enum(["plain", "scram-sha-256", "scram-sha-512"], "must be plain, scram-sha-256 or scram-sha-512")
      .optional(),
    "Login at Kafka: plain, scram-sha-256 or scram-sha-512. plain sends the password itself and needs KAFKA_SSL.",
  ),
  kafkaSaslUsername: setting("KAFKA_SASL_USERNAME", z.string().optional(), "User for KAFKA_SASL_MECHANISM."),
  kafkaSaslPassword: secret("KAFKA_SASL_PASSWORD", z.string().optional(), "Password of KAFKA_SASL_USERNAME."),
};

/** Where events wait while the event log is away. */
export const spillSettings = {
  spillDir: setting(
    "SPILL_DIR",
    z.string().default("./data/spill"),
    "Folder on a local disk for events that Kafka does not take, and for the salts of today and tomorrow. It has to outlive the process, because only it has these acknowledged events. Processes of one machine may share it.",
  ),
  spillMaxBytes: setting(
    "SPILL_MAX_BYTES",
    atLeast(LEAST_BYTES).default(1024 ** 3),
    "Bytes that each process may keep in SPILL_DIR: about 190 per event. Beyond that, tracking answers 503.",
    " (1 GiB, over five million events)",
  ),
  spillQuarantineSeconds: setting(
    "SPILL_QUARANTINE_SECONDS",
    atLeast(LEAST_QUARANTINE).default(30),
    "Seconds that events wait in SPILL_DIR if Kafka has not said whether it took them. A slow Kafka takes most of them by then, and they need not be sent again.",
  ),
};
