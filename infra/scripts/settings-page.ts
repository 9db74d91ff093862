import {
  accountSettings,
  clickhouseServerSettings,
  databaseSettings,
  kafkaSettings,
  limitSettings,
  mailSettings,
  networkSettings,
  paymentSettings,
  processSettings,
  retentionSettings,
  type Setting,
  type SettingGroup,
  secretSettings,
  servingSettings,
  spillSettings,
  storageSettings,
  uploadSettings,
} from "#libs/config/index.ts";
import { ingestionServiceSettings } from "../../services/ingestion/start/configuration.ts";
import { managementServiceSettings } from "../../services/management/start/configuration.ts";
import { servingServiceSettings } from "../../services/serving/start/configuration.ts";
import { standaloneSettings } from "../../services/standalone/configuration.ts";
import { wrapItem } from "./wrap-item.ts";

/** Each program and the group that it reads its environment by: a setting in no group is not read. */
const PROGRAMS: ReadonlyArray<readonly [name: string, group: SettingGroup]> = [
  ["standalone", standaloneSettings],
  ["serving", servingServiceSettings],
  ["ingestion", ingestionServiceSettings],
  ["management", managementServiceSettings],
];

const {
  databaseUrl,
  clickhouseUrl,
  clickhouseUser,
  clickhousePassword,
  clickhouseDatabase,
  redisUrl,
  redisCaFile,
  eventRetentionDays,
  splitRetentionDays,
  ...dataFolder
} = storageSettings;

/** A setting is in the first section whose group has it. */
const SECTIONS: ReadonlyArray<readonly [title: string, group: SettingGroup]> = [
  ["Addresses", networkSettings],
  ["Secrets and accounts", { ...secretSettings, ...accountSettings }],
  ["Postgres", { databaseUrl, ...databaseSettings }],
  [
    "ClickHouse",
    { clickhouseUrl, clickhouseUser, clickhousePassword, clickhouseDatabase, ...clickhouseServerSettings },
  ],
  ["Redis", { redisUrl, redisCaFile }],
  ["Kafka", kafkaSettings],
  ["The spill", spillSettings],
  ["How long data is kept", { eventRetentionDays, splitRetentionDays, ...retentionSettings }],
  ["The data folder", dataFolder],
  ["Uploads in a bucket", uploadSettings],
  ["Payments", paymentSettings],
  ["Mail", mailSettings],
  ["Limits", limitSettings],
  ["The process", { ...processSettings, ...servingSettings }],
];

const OPENING = `# Settings

Environment variables, which a process reads once when it starts. Empty values are ignored. An invalid value stops the start with
an error that names it. *Secret* values are never shown or logged. \`npm run settings\` writes this page from \`libs/config\`.

In brackets are the programs that read a setting; \`standalone\` is \`npm start\`. A program may leave out
every setting that it does not need.
`;

/** A setting as one program reads it. */
interface Use {
  readonly program: string;
  readonly setting: Setting<unknown>;
}

/** The page of all settings, each once, in Markdown. */
export function settingsPage(): string {
  const all = PROGRAMS.flatMap(([program, group]) =>
    Object.values(group).map((setting): Use => ({ program, setting })),
  );
  const left = Map.groupBy(all, ({ setting }) => setting.variable);
  const sections = SECTIONS.map(([title, group]) => {
    const items = Object.values(group).flatMap(({ variable }) => {
      const uses = left.get(variable) ?? [];
      left.delete(variable);
      return itemsOf(variable, uses);
    });
    return `\n## ${title}\n\n${items.map((item) => `${wrapItem(item)}\n`).join("")}`;
  });
  if (left.size > 0) throw new Error(`No section has ${[...left.keys()].join(", ")}.`);
  return `${OPENING}${sections.join("")}`;
}

/** An item for each meaning that the variable has. */
function itemsOf(variable: string, uses: readonly Use[]): string[] {
  return [...Map.groupBy(uses, ({ setting }) => setting.about)].map(([about, same]) => {
    const secret = same.some(({ setting }) => setting.secret) ? ", *secret*" : "";
    const programs = same.length === PROGRAMS.length ? "all" : namesOf(same);
    return `- \`${variable}\`${secret} (${programs}): ${escapeText(about)}${escapeText(defaultsOf(same))}`;
  });
}

/** What the setting is where it is left out, and who cannot do without it. */
function defaultsOf(uses: readonly Use[]): string {
  const byUsual = Map.groupBy(uses, ({ setting }) => usualOf(setting));
  const needed = byUsual.get(null) ?? [];
  const words = [...byUsual]
    .filter(([usual]) => usual !== null && usual !== "")
    .map(([usual, same], index) => (index === 0 ? ` Default: ${usual}` : `; ${namesOf(same)}: ${usual}`));
  return [
    ...words,
    words.length === 0 ? "" : ".",
    needed.length === 0 ? "" : ` **Needed** by ${namesOf(needed)}.`,
  ].join("");
}

/** The default in words, empty where there is none; null for a setting that is needed. */
function usualOf({ schema, usual }: Setting<unknown>): string | null {
  const { success, data } = schema.safeParse(undefined);
  return success ? `${data ?? ""}${usual}` : null;
}

function namesOf(uses: readonly Use[]): string {
  return uses.map(({ program }) => program).join(", ");
}

/** Within backticks Markdown shows everything as it is. */
function escapeText(text: string): string {
  const inAndOut = text.split("`");
  return inAndOut.map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "&lt;") : part)).join("`");
}
