/** The cards of the settings, in the order of their tabs. */
export const SETTINGS_TABS = ["general", "embed", "members", "payments", "tracking", "mails"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** What the address of the settings holds: which cards are in view; nothing for the first. */
export interface SettingsSearch {
  readonly tab?: SettingsTab;
}

export function readSettingsSearch({ tab }: Record<string, unknown>): SettingsSearch {
  const known = SETTINGS_TABS.find((one) => one === tab);
  return known === undefined || known === SETTINGS_TABS[0] ? {} : { tab: known };
}
