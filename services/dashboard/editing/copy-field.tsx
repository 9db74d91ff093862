import { Button, Textarea, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import classes from "./copy-field.module.css";
import { copyText } from "./copy-text.ts";

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  /** What is said when it is in the clipboard. */
  readonly done: string;
  readonly rows?: number;
}

const SHOWN_MS = 2000;

/** A text to take along, selected as soon as it is entered, with a button that copies it. */
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
      {rows === 1 ? <TextInput {...text} /> : <Textarea {...text} rows={rows} />}
      <Button
        variant="default"
        // Where it stands in a dialog, it is what one has come for.
        data-autofocus
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </div>
  );
}
