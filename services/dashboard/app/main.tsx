import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app.css";
import { type CSSVariablesResolver, createTheme, MantineProvider, Menu, Table } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "../api/query-client.ts";
import { ConfirmProvider } from "../components/confirm.tsx";
import { router } from "./routes.tsx";

// The content security policy forbids the code that zod would compile. Schemas check this when they are created, which
// is in the pages with forms: later than here.
config({ jitless: true });

function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The theme of every page. Its shades keep a text contrast of 4.5 to 1 in both color schemes. */
const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: "650" },
  components: {
    // Within the landmark that opened them, and with the first item focused: a menu may hold nothing but items.
    Menu: Menu.extend({
      defaultProps: { shadow: "md", withinPortal: false, withInitialFocusPlaceholder: false },
    }),
    // Links have to stay readable on the row under the pointer.
    Table: Table.extend({
      defaultProps: {
        highlightOnHoverColor: "light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))",
      },
    }),
  },
});

/** Mantine's muted text and placeholders are too faint for many people. */
const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5c636a",
    "--mantine-color-placeholder": "#6b7178",
    "--mantine-color-error": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": "#a6a7ab",
    "--mantine-color-placeholder": "#9a9ca0",
    "--mantine-color-error": "#ff9999",
  },
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
// The frame in index.html stays until the first page can replace it.
await router.load();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
