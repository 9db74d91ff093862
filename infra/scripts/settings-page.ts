import type { Setting, SettingGroup } from "#libs/config/index.ts";
import { ingestionServiceSettings } from "../../services/ingestion/start/configuration.ts";
import { managementServiceSettings } from "../../services/management/start/configuration.ts";
import { servingServiceSettings } from "../../services/serving/start/configuration.ts";
import { standaloneSettings } from "../../services/standalone/configuration.ts";

/** Each program and the group that it reads its environment by: a setting in no group is not read. */
const PROGRAMS: ReadonlyArray<readonly [command: string, about: string, group: SettingGroup]> = [
  ["npm start", "Everything in one process.", standaloneSettings],
  ["npm run serving", "The public endpoints: ads, impressions, clicks.", servingServiceSettings],
  ["npm run ingestion", "From the event log into ClickHouse.", ingestionServiceSettings],
  ["npm run management", "The management API, checkout, webhooks and jobs.", managementServiceSettings],
];

const OPENING = `# Settings

Environment variables, read once when a process starts. An empty one counts as absent; a bad value is answered with a
sentence that names it. Made by \`npm run settings\` from \`libs/config\`; edit it there. *Secret* values are never shown or logged.
`;

/** The page of all settings, in Markdown. */
export function settingsPage(): string {
  const sections = PROGRAMS.map(
    ([command, about, group]) => `\n## \`${command}\`\n\n${about}\n\n${tableOf(group)}`,
  );
  return `${OPENING}${sections.join("")}`;
}

function tableOf(group: SettingGroup): string {
  const rows = Object.values(group).map(rowOf);
  // Stable, so that what belongs together stays together among the needed and among the others.
  rows.sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
  return `| Variable | Default | |\n|---|---|---|\n${rows.map(({ line }) => `${line}\n`).join("")}`;
}

function rowOf({ variable, schema, about, usual, secret }: Setting<unknown>) {
  const { success, data } = schema.safeParse(undefined);
  const isNeeded = !success;
  const cells = [
    `\`${variable}\`${secret ? " *secret*" : ""}`,
    isNeeded ? "**needed**" : `${data ?? ""}${usual}` || "none",
    about,
  ];
  return { isNeeded, line: `| ${cells.map(escapeCell).join(" | ")} |` };
}

function escapeCell(text: string): string {
  // Within backticks Markdown shows everything as it is, but a cell ends at a bar there too.
  const inAndOut = text.replaceAll("|", "\\|").split("`");
  return inAndOut.map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "&lt;") : part)).join("`");
}
