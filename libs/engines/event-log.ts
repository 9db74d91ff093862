import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import type { ConfigOf, kafkaSettings, spillSettings } from "#libs/config/index.ts";
import {
  type KafkaEventLogOptions,
  openKafkaEventLog,
  openSpill,
  type RepeatableLog,
  type SpillingLog,
} from "#libs/event-log/index.ts";
import { isLoopback, StartError, using } from "#libs/process/index.ts";
import { readCertificate, readPrivateKey } from "./pem.ts";

/** The settings of an installation with Kafka. */
export type KafkaSettings = Omit<ConfigOf<typeof kafkaSettings>, "kafkaBrokers"> & {
  readonly kafkaBrokers: readonly string[];
};

/** Opens the log in Kafka, which need not respond yet. Throws `StartError` for an incomplete or an unencrypted login. */
export async function openKafka(
  settings: KafkaSettings,
  logger: Logger,
  shutdown: Shutdown,
): Promise<RepeatableLog> {
  const log = await openKafkaEventLog({
    brokers: settings.kafkaBrokers,
    topic: settings.kafkaTopic,
    partitions: settings.kafkaPartitions,
    replication: settings.kafkaReplication,
    retentionHours: settings.kafkaRetentionHours,
    ssl: chooseTls(settings),
    ...chooseLogin(settings),
    onWarning: (message) => logger.warn(message),
  });
  shutdown.onRelease("the event log", () => log.close());
  return log;
}

/** Opens the log in Kafka with the spill in front of it. Throws `StartError` when the spill's folder cannot be used. */
export async function openSpillingKafka(
  settings: KafkaSettings & ConfigOf<typeof spillSettings>,
  logger: Logger,
  shutdown: Shutdown,
): Promise<SpillingLog> {
  const log = await openKafka(settings, logger, shutdown);
  const spill = await using(`The folder ${settings.spillDir} (SPILL_DIR)`, () =>
    openSpill(log, {
      folder: settings.spillDir,
      maxBytes: settings.spillMaxBytes,
      quarantineMs: settings.spillQuarantineSeconds * 1000,
      onWarning: (message) => logger.warn(message),
    }),
  );
  shutdown.onRelease("the spill", () => spill.close());
  return spill;
}

function chooseTls(settings: KafkaSettings): NonNullable<KafkaEventLogOptions["ssl"]> {
  const { kafkaSsl, kafkaCaFile: ca, kafkaCertFile: cert, kafkaKeyFile: key } = settings;
  if (!kafkaSsl && (ca ?? cert ?? key) !== undefined) {
    throw new StartError("KAFKA_CA_FILE, KAFKA_CERT_FILE and KAFKA_KEY_FILE need KAFKA_SSL=true.");
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new StartError("KAFKA_CERT_FILE and KAFKA_KEY_FILE go together.");
  }
  if (!kafkaSsl) return false;
  return {
    ...(ca === undefined ? {} : { ca: [readCertificate("KAFKA_CA_FILE", ca)] }),
    ...(cert === undefined ? {} : { cert: readCertificate("KAFKA_CERT_FILE", cert) }),
    ...(key === undefined ? {} : { key: readPrivateKey("KAFKA_KEY_FILE", key) }),
  };
}

function chooseLogin(settings: KafkaSettings): Pick<KafkaEventLogOptions, "sasl"> {
  const {
    kafkaSaslMechanism: mechanism,
    kafkaSaslUsername: username,
    kafkaSaslPassword: password,
  } = settings;
  if (mechanism === undefined && username === undefined && password === undefined) return {};
  if (mechanism === undefined || username === undefined || password === undefined) {
    throw new StartError(
      "A login at Kafka needs all of KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD.",
    );
  }
  const staysHere = settings.kafkaBrokers.every((broker) => isLoopback(broker.replace(/:\d+$/, "")));
  if (mechanism === "plain" && !settings.kafkaSsl && !staysHere && !settings.allowPlainLogins) {
    throw new StartError(
      "KAFKA_SASL_MECHANISM=plain sends the password to Kafka unencrypted. Set KAFKA_SSL=true, or ALLOW_PLAIN_LOGINS=true for a private network.",
    );
  }
  // Each mechanism has its own type.
  if (mechanism === "plain") return { sasl: { mechanism, username, password } };
  if (mechanism === "scram-sha-256") return { sasl: { mechanism, username, password } };
  return { sasl: { mechanism, username, password } };
}
