import { oneOf } from "../components/search.ts";

/** The tabs of the settings, in their order. */
export const SETTINGS_TABS = [
  "general",
  "page",
  "embed",
  "members",
  "payments",
  "tracking",
  "mails",
  "developers",
] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Reads the tab in view from an address. The first tab stays out of the address. */
export function readSettingsSearch({ tab }: Record<string, unknown>): { readonly tab?: SettingsTab } {
  const known = oneOf(SETTINGS_TABS, tab);
  return known === null || known === SETTINGS_TABS[0] ? {} : { tab: known };
}
