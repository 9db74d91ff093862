import { z } from "zod";
import { setting } from "./setting.ts";
import { between, flag } from "./shapes.ts";

/** Shared by the engines whose login sends the password itself. */
export const allowPlainLogins = setting(
  "ALLOW_PLAIN_LOGINS",
  flag.default(false),
  "Allows passwords of ClickHouse (CLICKHOUSE_PASSWORD with http) and Kafka (SASL plain without KAFKA_SSL) to cross a private network unencrypted.",
  ", only to this machine",
);

/** How a ClickHouse server or cluster is used; `storageSettings` has its address. */
export const clickhouseServerSettings = {
  allowPlainLogins,
  clickhouseCaFile: setting(
    "CLICKHOUSE_CA_FILE",
    z.string().optional(),
    "PEM certificate of the authority that signed the certificate of an https CLICKHOUSE_URL.",
    "the authorities that Node knows",
  ),
  clickhouseCluster: setting(
    "CLICKHOUSE_CLUSTER",
    z
      .string()
      .regex(/^\w[\w.-]*$/, "must be a plain name")
      .optional(),
    "Cluster in system.clusters, of one shard. The tables are created on all its servers, with Replicated engines. Needs Keeper and the macros shard and replica.",
  ),
  clickhouseReplicated: setting(
    "CLICKHOUSE_REPLICATED",
    flag.default(false),
    "Uses Replicated engines on the connected server alone. Needs Keeper and the macros shard and replica.",
    ", unless CLICKHOUSE_CLUSTER is set",
  ),
  clickhouseInsertQuorum: setting(
    "CLICKHOUSE_INSERT_QUORUM",
    z.union([z.literal("auto"), between(0, 100)], 'must be "auto" or a whole number').default("auto"),
    "Replicas that must have a range before it counts as stored: auto is their majority; 0 is only the replica that takes it, and its loss loses the range. Inserts wait for missing replicas. For Replicated engines.",
  ),
  clickhouseDeduplicationWindow: setting(
    "CLICKHOUSE_DEDUPLICATION_WINDOW",
    between(100, 1_000_000).default(10_000),
    "Inserts whose tokens a table remembers. A range that is repeated after more inserts than this is stored twice.",
  ),
  clickhouseTimeoutSeconds: setting(
    "CLICKHOUSE_TIMEOUT_SECONDS",
    between(1, 600).default(30),
    "Seconds after which a call of ClickHouse without an answer is given up. An insert is then repeated.",
  ),
};
