import { TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { Icon } from "./icon.tsx";

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const PAUSE_MS = 250;

/** A search that starts when typing pauses. The slash key focuses it from anywhere on the page. */
export function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim();
    onChange(text.trim());
  }, PAUSE_MS);
  // Takes over a value that was set elsewhere (back, "Clear filters"), but not the echo of its own.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useHotkeys([["/", () => input.current?.focus()]]);

  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" />}
      value={typed}
      maxLength={LONGEST_EMAIL}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}
