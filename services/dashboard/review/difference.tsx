import { Group, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { StateBadge } from "../components/badges.tsx";
import { contentText } from "../components/creative-values.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { WebLink } from "../components/web-link.tsx";
import { FieldContentView } from "./field-content-view.tsx";
import classes from "./review.module.css";
import type { Change } from "./revision-difference.ts";
import { compareWords } from "./word-difference.ts";

const WORDS: Readonly<Record<Change["kind"], { readonly color: string; readonly text: string }>> = {
  same: { color: "gray", text: "Same" },
  added: { color: "teal", text: "Added" },
  removed: { color: "red", text: "Removed" },
  changed: { color: "blue", text: "Changed" },
};

const SIDES = ["before", "after"] as const;
type SideName = (typeof SIDES)[number];

interface DifferenceProps {
  readonly changes: readonly Change[];
  readonly titles: Readonly<Record<SideName, string>>;
  /** Said if nothing differs. */
  readonly ifNone: string;
}

/** What a submission changes, part by part, and on request what stays the same. */
export function Difference({ changes, titles, ifNone }: DifferenceProps) {
  const [showsAll, setShowsAll] = useState(false);
  const changed = changes.filter(({ kind }) => kind !== "same");
  const shown = showsAll ? changes : changed;
  const sameCount = changes.length - changed.length;
  return (
    <Stack gap="sm">
      {shown.length === 0 ? (
        <Dimmed>{ifNone}</Dimmed>
      ) : (
        <ul className={classes.changes}>
          {shown.map((change) => (
            <ChangeRow key={change.key} change={change} titles={titles} />
          ))}
        </ul>
      )}
      {sameCount === 0 ? null : (
        <Switch
          label={`Show what stays the same (${sameCount})`}
          checked={showsAll}
          onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

function ChangeRow({ change, titles }: { readonly change: Change } & Pick<DifferenceProps, "titles">) {
  return (
    <li className={classes.change}>
      <Group gap="xs" align="center">
        <Text size="sm" fw={600}>
          {change.label}
        </Text>
        <StateBadge {...WORDS[change.kind]} />
      </Group>
      <dl className={classes.sides}>
        {SIDES.map((side) => (
          <div key={side}>
            <Text component="dt" size="xs" c="dimmed">
              {titles[side]}
            </Text>
            <Text component="dd" size="sm" m={0}>
              <Side change={change} side={side} />
            </Text>
          </div>
        ))}
      </dl>
    </li>
  );
}

function Side({ change, side }: { readonly change: Change; readonly side: SideName }) {
  const { field, kind, before, after } = change;
  const value = change[side];
  if (value === undefined) {
    return <Dimmed span>Empty</Dimmed>;
  }
  const isText = change.key === "name" || field?.type === "Text" || field?.type === "Textarea";
  if (kind === "changed" && isText) {
    return <WordDifference before={contentText(before)} after={contentText(after)} side={side} />;
  }
  if (field !== null) return <FieldContentView field={field} value={value} copy={change.copies[side]} />;
  const text = contentText(value);
  return change.key === "websiteUrl" ? (
    <WebLink url={text} text={text} size="sm" />
  ) : (
    <bdi dir="auto">{text}</bdi>
  );
}

interface WordDifferenceProps {
  readonly before: string;
  readonly after: string;
  readonly side: SideName;
}

function WordDifference({ before, after, side }: WordDifferenceProps) {
  const other = side === "before" ? "added" : "removed";
  let place = 0;
  const parts = compareWords(before, after).map((part) => {
    const at = place;
    place += part.text.length;
    return { ...part, at };
  });
  return (
    <Text component="span" size="sm" style={{ whiteSpace: "pre-wrap" }}>
      <bdi dir="auto">
        {parts
          .filter(({ kind }) => kind !== other)
          .map(({ kind, text, at }) => {
            if (kind === "same") return <span key={at}>{text}</span>;
            return kind === "removed" ? (
              <del key={at} className={classes.removed}>
                {text}
              </del>
            ) : (
              <ins key={at} className={classes.added}>
                {text}
              </ins>
            );
          })}
      </bdi>
    </Text>
  );
}
