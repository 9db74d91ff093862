import { z } from "zod";
import { setting } from "./setting.ts";
import { allowPlainLogins } from "./settings-plain-logins.ts";
import { flag, wholeNumber } from "./shapes.ts";

/** How a ClickHouse server or cluster is used; where it is, is said in `storageSettings`. */
export const clickhouseServerSettings = {
  allowPlainLogins,
  clickhouseCaFile: setting(
    "CLICKHOUSE_CA_FILE",
    z.string().optional(),
    "PEM certificate of the authority that signed the certificate of an https CLICKHOUSE_URL. Default: the authorities that Node knows.",
  ),
  clickhouseCluster: setting(
    "CLICKHOUSE_CLUSTER",
    z
      .string()
      .regex(/^\w[\w.-]*$/, "must be a plain name")
      .optional(),
    "Cluster of one shard, as in system.clusters, on all of whose servers the tables are made, with Replicated engines. Needs Keeper and the macros shard and replica. Default none.",
  ),
  clickhouseReplicated: setting(
    "CLICKHOUSE_REPLICATED",
    flag.default(false),
    "Replicated engines on the connected server alone, without ON CLUSTER. Needs Keeper and the macros shard and replica. Default false, unless CLICKHOUSE_CLUSTER is set.",
  ),
  clickhouseInsertQuorum: setting(
    "CLICKHOUSE_INSERT_QUORUM",
    z
      .union(
        [z.literal("auto"), wholeNumber.min(0, "must be 0 or more").max(100)],
        'must be "auto" or a whole number',
      )
      .default("auto"),
    "Replicas that must have a range before it counts as stored: auto is their majority, 0 the one that takes it, which can lose it. Inserts wait while fewer are there. Only of Replicated engines. Default auto.",
  ),
  clickhouseDeduplicationWindow: setting(
    "CLICKHOUSE_DEDUPLICATION_WINDOW",
    wholeNumber
      .min(100, "must be between 100 and 1000000")
      .max(1_000_000, "must be between 100 and 1000000")
      .default(10_000),
    "Inserts whose tokens a table remembers. A range that is repeated after so many others would be stored twice. Default 10000.",
  ),
  clickhouseTimeoutSeconds: setting(
    "CLICKHOUSE_TIMEOUT_SECONDS",
    wholeNumber.min(1, "must be between 1 and 600").max(600, "must be between 1 and 600").default(30),
    "A call of ClickHouse that has no answer after so many seconds is given up; an insert is then repeated. Default 30.",
  ),
};
