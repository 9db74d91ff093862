import { Group, NativeSelect, TextInput } from "@mantine/core";
import { formatCount } from "../shell/format.ts";
import { LIMIT_MODES, type LimitDraft, type LimitMode } from "./limits-draft.ts";

interface LimitInputProps {
  readonly label: string;
  readonly limit: LimitDraft;
  /** The workspace's own as it is saved; null for the installation's. */
  readonly saved: number | null;
  /** What holds now; 0 is no limit. */
  readonly inEffect: number;
  readonly error: string | undefined;
  readonly onChange: (limit: LimitDraft) => void;
}

/** Chooses between the installation's limit, one of the workspace's own, and none. */
export function LimitInput({ label, limit, saved, inEffect, error, onChange }: LimitInputProps) {
  const words: Readonly<Record<LimitMode, string>> = {
    usual: saved === null ? `As usual here: ${limitWords(inEffect)}` : "As usual here",
    own: "My own limit",
    off: "No limit",
  };
  return (
    <Group gap="sm" align="flex-start">
      <NativeSelect
        label={label}
        data={LIMIT_MODES.map((mode) => ({ value: mode, label: words[mode] }))}
        value={limit.mode}
        onChange={({ currentTarget }) => {
          const mode = LIMIT_MODES.find((one) => one === currentTarget.value);
          if (mode !== undefined) onChange({ ...limit, mode });
        }}
        style={{ flex: "1 1 14rem" }}
      />
      {limit.mode === "own" ? (
        <TextInput
          label={`${label} a minute`}
          inputMode="numeric"
          autoComplete="off"
          value={limit.own}
          error={error}
          onChange={({ currentTarget }) => onChange({ ...limit, own: currentTarget.value })}
          style={{ flex: "1 1 10rem" }}
        />
      ) : null}
    </Group>
  );
}

/** A limit that holds, in words; 0 is none. */
export function limitWords(perMinute: number): string {
  return perMinute === 0 ? "no limit" : `${formatCount(perMinute)} a minute`;
}
