import { Group, Pagination, Text } from "@mantine/core";
import { formatCount } from "../shell/format.ts";

interface PagerProps {
  readonly page: number;
  readonly pageCount: number;
  readonly perPage: number;
  readonly total: number;
  /** What is listed: `["ad", "ads"]`. */
  readonly what: readonly [one: string, more: string];
  readonly onChange: (page: number) => void;
}

/** Which part of a list is in view, and the way to the others. */
export function Pager({ page, pageCount, perPage, total, what, onChange }: PagerProps) {
  if (total === 0) return null;
  const [one, more] = what;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const all = `${formatCount(total)} ${total === 1 ? one : more}`;
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {pageCount === 1 ? all : `${formatCount(first)}–${formatCount(last)} of ${all}`}
      </Text>
      {pageCount === 1 ? null : (
        <Pagination
          component="nav"
          aria-label={`Pages of ${more}`}
          size="sm"
          siblings={1}
          total={pageCount}
          value={page}
          onChange={onChange}
          getItemProps={(number) => ({ "aria-label": `Page ${number}` })}
          getControlProps={(control) => ({
            "aria-label": control === "next" ? "Next page" : "Previous page",
          })}
        />
      )}
    </Group>
  );
}
