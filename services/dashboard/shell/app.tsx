import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./shell.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ConfirmProvider } from "./confirm.tsx";
import { queryClient } from "./query-client.ts";
import { router } from "./routes.tsx";
import { cssVariables, theme } from "./theme.ts";

/** Everything that pages stand on, once. */
export function App() {
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
