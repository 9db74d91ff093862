import { Alert, type AlertProps } from "@mantine/core";
import type { AriaRole, Ref } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface NoticeProps extends Omit<AlertProps, "icon"> {
  readonly icon?: IconName;
  readonly role?: AriaRole;
  readonly ref?: Ref<HTMLDivElement>;
}

/** An alert whose title is as dark as other text: tinted, some colors are too faint to read. */
export function Notice({ icon, ...props }: NoticeProps) {
  return (
    <Alert
      {...props}
      {...(icon === undefined ? {} : { icon: <Icon name={icon} size={20} /> })}
      styles={{ label: { color: "var(--mantine-color-bright)" } }}
    />
  );
}

interface FormNoteProps {
  readonly color: "red" | "yellow" | "blue";
  readonly children: string | null;
}

/** A message about a whole form, announced when it appears. Nothing for null. */
export function FormNote({ color, children }: FormNoteProps) {
  return (
    <div aria-live="polite" className="form-note">
      {children === null ? null : (
        <Alert color={color} p="sm">
          {children}
        </Alert>
      )}
    </div>
  );
}
