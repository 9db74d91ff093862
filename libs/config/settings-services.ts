import { z } from "zod";
import type { KeyRing } from "#libs/installation/index.ts";
import { type Setting, secret, setting } from "./setting.ts";
import { accountSettings, networkSettings, storageSettings } from "./settings.ts";
import { clickhouseServerSettings } from "./settings-clickhouse.ts";
import { kafkaSettings } from "./settings-kafka.ts";
import { limitSettings } from "./settings-limits.ts";
import { atLeast, between, days, portNumber } from "./shapes.ts";

/** The same setting where there is nothing to fall back on. */
function needed<T>(given: Setting<T | undefined>, sentence: string): Setting<T> {
  const schema = given.schema.transform((value, context) => {
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: sentence });
    return z.NEVER;
  });
  return { ...given, schema };
}

function portOf(usual: number) {
  return setting("PORT", portNumber.default(usual), "Port to listen on.");
}

const LEAST_KEY = 32;

/** Between the processes of an installation. */
export const secretSettings = {
  secretKey: secret(
    "SECRET_KEY",
    z
      .string()
      .transform((given, context): KeyRing => {
        const [first = "", ...older] = given.split(",").map((key) => key.trim());
        if ([first, ...older].every((key) => key.length >= LEAST_KEY)) return [first, ...older];
        const each = older.length > 0 ? ", and so must each key of a list with commas" : "";
        const message = `must have at least ${LEAST_KEY} characters${each}`;
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      })
      .optional(),
    "At least 32 random characters without a comma, the same for every process. Keys derived from it sign sessions, proofs and links in mails, and order the rotation. Of several, joined by commas, the first signs and encrypts, and all are accepted, so that you can rotate it. Without it a single process keeps its own secrets in DATA_DIR.",
  ),
};

/** How Postgres is used. */
export const databaseSettings = {
  databasePoolSize: setting(
    "DATABASE_POOL_SIZE",
    between(2, 500).optional(),
    "Most connections of one process to Postgres, of which requests of members and keys have a third. All processes together have to stay below its max_connections.",
    "24, in a serving process 5",
  ),
  databaseStatementSeconds: setting(
    "DATABASE_STATEMENT_SECONDS",
    atLeast(1).default(30),
    "Seconds after which Postgres gives up a statement. Migrations are not limited.",
  ),
  databaseCaFile: setting(
    "DATABASE_CA_FILE",
    z.string().optional(),
    "PEM certificate of the authority that signed Postgres's certificate. With it, connections are encrypted and the server's name is verified, unless DATABASE_URL has its own sslmode.",
    "as sslmode in DATABASE_URL says; without one, unencrypted",
  ),
};

/** How long personal data and records of money are kept; a daily job removes what is older. */
export const retentionSettings = {
  auditRetentionDays: setting(
    "AUDIT_RETENTION_DAYS",
    days(1).default(730),
    "Days after which entries of the audit log, which name people, are removed.",
  ),
  checkoutSessionRetentionDays: setting(
    "CHECKOUT_SESSION_RETENTION_DAYS",
    // The payment processor closes a session after a day, and may tell so late.
    days(3).default(30),
    "Days after which checkout sessions without a purchase are removed.",
  ),
  moneyRecordYears: setting(
    "MONEY_RECORD_YEARS",
    between(0, 30).default(10),
    "Years for which invoices of deleted workspaces are kept after their issue, without names or addresses; 0 keeps none.",
  ),
};

/** Where Postgres is, of programs that bring none along. */
export const neededDatabaseUrl = needed(
  storageSettings.databaseUrl,
  "is needed: postgres://user:password@host/database",
);

/** Where Redis is, of programs that cannot do without. */
export const neededRedisUrl = needed(
  storageSettings.redisUrl,
  "is needed: redis://user:password@host:port/database",
);

/** Settings of every separate service. */
const separate = {
  host: networkSettings.host,
  secretKey: needed(
    secretSettings.secretKey,
    "is needed: at least 32 random characters, the same everywhere",
  ),
  publicUrl: needed(
    networkSettings.publicUrl,
    "is needed: the origin under which browsers reach the installation",
  ),
  trustProxy: networkSettings.trustProxy,
  allowPlainHttp: networkSettings.allowPlainHttp,
  tlsCertFile: networkSettings.tlsCertFile,
  tlsKeyFile: networkSettings.tlsKeyFile,
  databaseUrl: neededDatabaseUrl,
  redisUrl: neededRedisUrl,
  redisCaFile: storageSettings.redisCaFile,
  ...databaseSettings,
};

/** Where ClickHouse is, of programs that bring none along. */
export const clickhouseSettings = {
  clickhouseUrl: needed(storageSettings.clickhouseUrl, "is needed: the HTTP interface of ClickHouse"),
  clickhouseUser: storageSettings.clickhouseUser,
  clickhousePassword: storageSettings.clickhousePassword,
  clickhouseDatabase: storageSettings.clickhouseDatabase,
  ...clickhouseServerSettings,
  eventRetentionDays: storageSettings.eventRetentionDays,
  splitRetentionDays: storageSettings.splitRetentionDays,
};

/** Where Kafka is, of programs that have no log of their own. */
const kafka = {
  ...kafkaSettings,
  kafkaBrokers: needed(kafkaSettings.kafkaBrokers, "is needed: host:port, several joined by commas"),
};

/** Serving ads and tiers, and tracking, as a service of its own. */
export const servingSettings = {
  ...separate,
  ...kafka,
  port: portOf(8081),
  impressionsPerMinute: limitSettings.impressionsPerMinute,
  clicksPerMinute: limitSettings.clicksPerMinute,
  serverEventsPerMinute: limitSettings.serverEventsPerMinute,
  blockedNetworksFile: limitSettings.blockedNetworksFile,
  browsersFile: limitSettings.browsersFile,
  robotsFile: limitSettings.robotsFile,
  proofValidMinutes: limitSettings.proofValidMinutes,
  countryHeader: networkSettings.countryHeader,
  geoipFile: networkSettings.geoipFile,
  servingProcesses: setting(
    "SERVING_PROCESSES",
    z
      .string()
      .regex(/^(auto|[1-9]\d?)$/, "must be a whole number from 1 to 99, or auto")
      .transform((given) => (given === "auto" ? given : Number(given)))
      .default(1),
    "Processes that share serving's port. Each uses one core and DATABASE_POOL_SIZE connections; auto is one per core.",
  ),
};

/** Everything else that answers requests, and the jobs. */
export const managementSettings = {
  ...separate,
  ...clickhouseSettings,
  ...retentionSettings,
  port: portOf(8082),
  dataDir: setting(
    "DATA_DIR",
    z.string().default("./data"),
    "Folder of the payment sandbox, and of mails without SMTP_URL. With Stripe and a mail server nothing is written.",
  ),
  uploadMaxBytes: limitSettings.uploadMaxBytes,
  uploadQuotaBytes: limitSettings.uploadQuotaBytes,
  workspacesPerPerson: limitSettings.workspacesPerPerson,
  checkoutsPerMinute: limitSettings.checkoutsPerMinute,
  checkoutReadsPerMinute: limitSettings.checkoutReadsPerMinute,
  submissionsPerMinute: limitSettings.submissionsPerMinute,
  ...accountSettings,
  impressionsPerMinute: limitSettings.impressionsPerMinute,
  clicksPerMinute: limitSettings.clicksPerMinute,
};

/** The way from the log into ClickHouse; it answers health and metrics alone. */
export const ingestionSettings = {
  ...kafka,
  redisUrl: neededRedisUrl,
  redisCaFile: storageSettings.redisCaFile,
  ...clickhouseSettings,
  host: networkSettings.host,
  port: portOf(8083),
};
