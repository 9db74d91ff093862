import { Text } from "@mantine/core";
import classes from "./word-difference.module.css";
import { compareWords } from "./word-difference.ts";

interface WordDifferenceProps {
  readonly before: string;
  readonly after: string;
  readonly side: "before" | "after";
}

/** One side of a changed text, with what only this side has marked. */
export function WordDifference({ before, after, side }: WordDifferenceProps) {
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
