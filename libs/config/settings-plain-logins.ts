import { setting } from "./setting.ts";
import { flag } from "./shapes.ts";

/** Shared by the engines whose login sends the password itself. */
export const allowPlainLogins = setting(
  "ALLOW_PLAIN_LOGINS",
  flag.default(false),
  "Lets the passwords of ClickHouse (CLICKHOUSE_PASSWORD with http) and Kafka (SASL plain without KAFKA_SSL) cross the network unencrypted. For a private network that nobody else can read. Default false: only to this machine.",
);
