import { z } from "zod";
import { STORE_NAMES } from "#libs/installation/index.ts";
import { redisAddresses } from "./redis-url.ts";
import { secret, setting } from "./setting.ts";
import { clickhouseServerSettings } from "./settings-clickhouse.ts";
import { atLeast, days, flag, httpUrl, origin, portNumber, text } from "./shapes.ts";

/** Who may sign up. */
const SIGN_UPS = ["open", "invited", "closed"] as const;
export type SignUp = (typeof SIGN_UPS)[number];

/** Who gets in. */
export const accountSettings = {
  signUp: setting(
    "SIGN_UP",
    z.enum(SIGN_UPS, 'must be "open", "invited" or "closed"').optional(),
    "open: anybody may create an account. invited: only with the link of an invitation. closed: nobody. Except with open, the first account takes the link that the first start prints.",
    "open if PUBLIC_URL is this machine, otherwise invited",
  ),
};

/** Where the service is reached, and by whom. */
export const networkSettings = {
  port: setting("PORT", portNumber.default(8080), "Port to listen on."),
  host: setting(
    "HOST",
    text.default("127.0.0.1"),
    "Address to listen on.",
    ", this machine alone; 0.0.0.0 is every address",
  ),
  publicUrl: setting(
    "PUBLIC_URL",
    origin.optional(),
    "Origin under which browsers reach the service. With https, http is redirected and cookies are Secure.",
    "http://127.0.0.1:PORT",
  ),
  trustProxy: setting(
    "TRUST_PROXY",
    text.transform((given) => given.split(",").map((part) => part.trim())).optional(),
    "Comma-joined addresses or ranges of the proxies in front, whose X-Forwarded-* headers are believed.",
    "none are believed",
  ),
  countryHeader: setting(
    "COUNTRY_HEADER",
    text.regex(/^[A-Za-z\d-]{1,64}$/, "must be the name of a header: letters, digits and hyphens").optional(),
    "Header in which a proxy of TRUST_PROXY names the visitor's country by two letters, such as CF-IPCountry. Events keep the country. The proxy has to replace what visitors send under this name.",
    "no header is believed",
  ),
  geoipFile: setting(
    "GEOIP_FILE",
    text.optional(),
    "File of countries by address in MaxMind's format (.mmdb), such as GeoLite2 Country, DB-IP Lite or IPinfo Lite, at most 512 MiB. Events get the country of their visitor from it where no COUNTRY_HEADER names one. It is read again within seconds of a change; each process has it in memory, up to three times for a while after a change.",
    "only COUNTRY_HEADER names countries",
  ),
  allowPlainHttp: setting(
    "ALLOW_PLAIN_HTTP",
    flag.default(false),
    "Allows an http PUBLIC_URL that is not this machine. Keys and passwords then cross the network unencrypted.",
  ),
  tlsCertFile: setting(
    "TLS_CERT_FILE",
    text.optional(),
    "PEM certificate chain, to end TLS here. Only TLS 1.2 is offered: for 1.3 use a proxy.",
  ),
  tlsKeyFile: setting("TLS_KEY_FILE", text.optional(), "PEM private key of TLS_CERT_FILE."),
};

/** What is kept where. */
export const storageSettings = {
  dataDir: setting(
    "DATA_DIR",
    text.default("./data"),
    "Folder of the embedded engines, secrets and uploads. One process at a time.",
  ),
  databaseUrl: secret(
    "DATABASE_URL",
    text.optional(),
    "postgres://user:password@host/database.",
    "an embedded Postgres below DATA_DIR",
  ),
  clickhouseUrl: setting(
    "CLICKHOUSE_URL",
    httpUrl.optional(),
    "HTTP interface of a ClickHouse server.",
    "an embedded engine below DATA_DIR",
  ),
  clickhouseUser: setting("CLICKHOUSE_USER", text.default("default"), "User at CLICKHOUSE_URL."),
  clickhousePassword: secret("CLICKHOUSE_PASSWORD", text.default(""), "Password at CLICKHOUSE_URL."),
  clickhouseDatabase: setting(
    "CLICKHOUSE_DATABASE",
    text.regex(/^\w+$/, "must be a plain name").default("placard"),
    "Database at CLICKHOUSE_URL, created if missing.",
  ),
  ...clickhouseServerSettings,
  redisUrl: secret(
    "REDIS_URL",
    redisAddresses.optional(),
    "Snapshots and limits: redis://user:password@host:port/database. For a Redis Cluster, some of its nodes, joined by commas: redis://user:password@one:6379,redis://user:password@two:6379.",
    "this process's memory",
  ),
  acceptDataLoss: setting(
    "ACCEPT_DATA_LOSS",
    text
      .default("")
      .transform((given) =>
        given
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== ""),
      )
      .pipe(z.array(z.enum(STORE_NAMES, `must be of ${STORE_NAMES.join(", ")}, several joined by commas`))),
    "Stores whose data loss you accept, for one start: postgres, clickhouse, events, uploads. A start that finds a store new, older, damaged or missing stops with an error that names it; with its name here it continues without what is lost.",
  ),
  redisCaFile: setting(
    "REDIS_CA_FILE",
    text.optional(),
    "PEM certificate of the authority that signed the certificate of a rediss:// REDIS_URL.",
    "the authorities that Node knows",
  ),
  eventRetentionDays: setting(
    "EVENT_RETENTION_DAYS",
    // A range that is repeated is looked up in the raw events, after a restart or an outage.
    days(2).default(400),
    "Days after which raw events are dropped, 2 to 3650; daily counts stay. Must be longer than KAFKA_RETENTION_HOURS.",
  ),
  splitRetentionDays: setting(
    "SPLIT_RETENTION_DAYS",
    days(2).default(760),
    "Days after which the counts by placement, page, referrer, country, device and browser are dropped, 2 to 3650; all other counts stay.",
  ),
};

/** Uploads in a bucket. */
export const uploadSettings = {
  s3Bucket: setting(
    "S3_BUCKET",
    text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket").optional(),
    "Bucket for uploads, on S3 or a store that speaks its protocol.",
    "uploads are files in DATA_DIR/uploads",
  ),
  s3Region: setting(
    "S3_REGION",
    text.optional(),
    "Region of S3_BUCKET. Needed unless S3_ENDPOINT is set, with which the default is us-east-1.",
  ),
  s3Endpoint: setting(
    "S3_ENDPOINT",
    httpUrl.optional(),
    "Address of a store that is not Amazon's, such as MinIO or R2. Browsers send files there.",
    "Amazon's own",
  ),
  s3ForcePathStyle: setting(
    "S3_FORCE_PATH_STYLE",
    flag.optional(),
    "Puts the bucket's name into the path instead of the host name. MinIO needs true.",
    "false",
  ),
  s3PublicUrl: setting(
    "S3_PUBLIC_URL",
    httpUrl.refine((given) => !/[?#]/.test(given), "must have no query").optional(),
    "Address from which everybody fetches the files, such as a CDN's.",
    "the bucket's own",
  ),
  s3AccessKeyId: setting(
    "S3_ACCESS_KEY_ID",
    text.optional(),
    "Access key for S3_BUCKET.",
    "what Amazon's SDK finds, such as AWS_ACCESS_KEY_ID or the role of the machine",
  ),
  s3SecretAccessKey: secret("S3_SECRET_ACCESS_KEY", text.optional(), "Secret of S3_ACCESS_KEY_ID."),
};

/** Mail to people. */
export const mailSettings = {
  smtpUrl: secret(
    "SMTP_URL",
    text
      .refine(
        (given) => /^smtps?:\/\//.test(given) && URL.canParse(given),
        "must be an smtp or smtps address",
      )
      .optional(),
    "Mail server: smtp://user:password@host:587, or smtps://…:465. With a password nothing is sent unencrypted, unless ?requireTLS=false is added. With a mail server, people have to verify their email address.",
    "mails are files in DATA_DIR/outbox",
  ),
  mailFrom: setting(
    "MAIL_FROM",
    text
      .regex(/^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u, "must be an email address")
      .optional(),
    "Sender of mails, `Name <address>`: an address that the mail server may send for. Needed with SMTP_URL.",
    "Placard <placard@localhost>, in the outbox",
  ),
};

/** How the process behaves. */
export const processSettings = {
  logLevel: setting(
    "LOG_LEVEL",
    z
      .enum(
        ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
        "must be fatal, error, warn, info, debug, trace or silent",
      )
      .default("warn"),
    "Least severe level that is logged, as JSON lines on standard error. info adds a line for each request of management, without path or query.",
  ),
  slowRequestMs: setting(
    "SLOW_REQUEST_MS",
    atLeast(1).default(1000),
    "Milliseconds from which a request is a warning in the log, with its x-request-id, route and duration: any request of management, and requests for ads that wait for a snapshot. The time in which a caller sends or reads slowly counts.",
  ),
  seed: setting(
    "SEED",
    z.enum(["demo", "none"], 'must be "demo" or "none"').default("demo"),
    "demo fills an empty installation with a workspace, ads and some weeks of history.",
  ),
};
