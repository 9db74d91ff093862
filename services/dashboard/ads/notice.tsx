import { Alert, type AlertProps } from "@mantine/core";
import type { AriaRole } from "react";

interface NoticeProps extends AlertProps {
  readonly role?: AriaRole;
}

/** Something to know before anything else. Its title is as dark as other text: tinted, some colors are too faint to read. */
export function Notice(props: NoticeProps) {
  return <Alert {...props} styles={{ label: { color: "var(--mantine-color-bright)" } }} />;
}
