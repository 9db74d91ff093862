import { CloseButton, Group, Input, Stack, TextInput } from "@mantine/core";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { MOST_OPTIONS } from "#libs/domain/field-definition.ts";
import { AddButton } from "../components/forms/add-button.tsx";
import type { DraftErrors } from "../components/forms/use-draft.ts";

interface OptionsInputProps {
  readonly options: readonly string[];
  readonly errors: DraftErrors;
  readonly onChange: (options: string[]) => void;
}

/** The options of a choice, one input each. Enter adds one, and each pasted line becomes one. */
export function OptionsInput({ options, errors, onChange }: OptionsInputProps) {
  const list = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    list.current?.querySelectorAll("input")[wanted]?.focus();
    setWanted(null);
  }, [wanted]);

  const isFull = options.length >= MOST_OPTIONS;
  const insert = (index: number) => {
    if (isFull) return;
    onChange(options.toSpliced(index, 0, ""));
    setWanted(index);
  };
  const remove = (index: number) => {
    onChange(options.toSpliced(index, 1));
    setWanted(Math.max(0, index - 1));
  };
  const press = (event: KeyboardEvent, index: number) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    insert(index + 1);
  };
  const paste = (event: ClipboardEvent, index: number) => {
    const pasted = pasteOptions(options, index, event.clipboardData.getData("text"));
    if (pasted === null) return;
    event.preventDefault();
    onChange(pasted);
  };

  return (
    <Input.Wrapper label="Options" labelElement="div" required error={errors.options}>
      <Stack gap="xs" mt={4} ref={list}>
        {options.map((option, index) => (
          <Group
            // biome-ignore lint/suspicious/noArrayIndexKey: options may be alike, and inputs hold no state.
            key={index}
            gap="xs"
            wrap="nowrap"
            align="flex-start"
          >
            <TextInput
              aria-label={`Option ${index + 1}`}
              value={option}
              error={errors[`options.${index}`]}
              onChange={({ currentTarget }) => onChange(options.with(index, currentTarget.value))}
              onKeyDown={(event) => press(event, index)}
              onPaste={(event) => paste(event, index)}
              style={{ flex: 1 }}
            />
            {options.length === 1 ? null : (
              <CloseButton
                size="lg"
                aria-label={`Remove option ${index + 1}`}
                onClick={() => remove(index)}
              />
            )}
          </Group>
        ))}
        <AddButton label="Add an option" isFull={isFull} onAdd={() => insert(options.length)} />
      </Stack>
    </Input.Wrapper>
  );
}

/** Inserts the non-blank lines of a pasted text, replacing a blank option. Null for a single line, a normal paste. */
export function pasteOptions(options: readonly string[], at: number, text: string): string[] | null {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  const isBlank = (options[at] ?? "").trim() === "";
  return options.toSpliced(isBlank ? at : at + 1, isBlank ? 1 : 0, ...lines).slice(0, MOST_OPTIONS);
}
