import { TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  /** The text that is searched for now. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const PAUSE_MS = 250;
const LONGEST = 200;

/** A search that begins when the typing pauses. A slash anywhere on the page leads to it. */
export function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim();
    onChange(text.trim());
  }, PAUSE_MS);
  // What comes from elsewhere (back, "Clear filters") is taken over; what comes back from here is typed over already.
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
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      maxLength={LONGEST}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}
