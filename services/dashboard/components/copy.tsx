import { Button, Code, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import classes from "./copy.module.css";
import { Icon } from "./icon.tsx";
import { notifyDone } from "./notify.ts";

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly done: string;
  readonly rows?: number;
}

const SHOWN_MS = 2000;

/** A read-only text that is selected on focus, with a button that copies it. */
export function CopyField({ label, value, description, done, rows = 1 }: CopyFieldProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await copyText(value, done);
    setCopied(true);
  };
  const text = {
    label,
    value,
    description,
    readOnly: true,
    spellCheck: false,
    classNames: { input: classes.text ?? "" },
    onFocus: (event: { readonly currentTarget: { select(): void } }) => event.currentTarget.select(),
  };
  return (
    <div className={classes.field}>
      {rows === 1 ? <TextInput {...text} /> : <Textarea {...text} autosize minRows={rows} />}
      <Button
        variant="default"
        // In a dialog, this is the first thing that people want.
        data-autofocus
        leftSection={isCopied ? <Icon name="check" /> : <Icon name="copy" />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </div>
  );
}

interface CodeToCopyProps {
  readonly code: string;
  readonly label: string;
  readonly action: string;
}

/** A block of code with a button that copies it. */
export function CodeToCopy({ code, label, action }: CodeToCopyProps) {
  return (
    <Stack gap="xs">
      {/* It scrolls sideways where it is too long, which the keyboard can do as well. */}
      <Code block tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <Group>
        <Button leftSection={<Icon name="copy" />} onClick={() => void copyText(code, "Copied")}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}

/** Copies a text and says so. If the browser forbids it, shows the text to copy manually. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyDone(done);
  } catch {
    notifications.show({ title: "Copy this manually", message: text, color: "yellow", autoClose: false });
  }
}
