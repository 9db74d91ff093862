import { type CSSVariablesResolver, createTheme, Menu } from "@mantine/core";

/** The look of every page. Shades are chosen so that text keeps a contrast of 4.5 to 1 in both color schemes. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: "650" },
  components: { Menu: Menu.extend({ defaultProps: { shadow: "md" } }) },
});

/** Mantine's own muted text and placeholders are too faint to read for many. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5c636a",
    "--mantine-color-placeholder": "#6b7178",
    "--mantine-color-error": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": "#a6a7ab",
    "--mantine-color-placeholder": "#9a9ca0",
    "--mantine-color-error": "#ff8787",
  },
});
