import { Group, Pagination, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCount, formatCounted } from "./format.ts";
import { QueryView } from "./states.tsx";

interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly page: number;
  readonly pageCount: number;
  readonly perPage: number;
  readonly total: number;
}

interface PagedListProps<Row> {
  readonly query: UseQueryResult<ListPage<Row>, Error>;
  /** What a row is: `ad`. */
  readonly what: string;
  /** Shown instead of a list without rows. */
  readonly empty: ReactNode;
  readonly onPage: (page: number) => void;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** One page of a list, with links to the others. While another page loads, the current one is faint. */
export function PagedList<Row>({ query, what, empty, onPage, children }: PagedListProps<Row>) {
  return (
    <QueryView query={query}>
      {({ items, total, ...place }) =>
        total === 0 ? (
          empty
        ) : (
          <Stack gap="md" aria-busy={query.isFetching} opacity={query.isPlaceholderData ? 0.6 : 1}>
            {children(items)}
            <Pager {...place} total={total} what={what} onPage={onPage} />
          </Stack>
        )
      }
    </QueryView>
  );
}

interface PagerProps extends Omit<ListPage<unknown>, "items"> {
  readonly what: string;
  readonly onPage: (page: number) => void;
}

/** Shows which part of a list is in view. */
function Pager({ page, pageCount, perPage, total, what, onPage }: PagerProps) {
  const all = formatCounted(total, what);
  const first = formatCount((page - 1) * perPage + 1);
  const last = formatCount(Math.min(page * perPage, total));
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {pageCount === 1 ? all : `${first}–${last} of ${all}`}
      </Text>
      {pageCount === 1 ? null : (
        <Pagination
          component="nav"
          aria-label={`Pages of ${what}s`}
          size="sm"
          siblings={1}
          total={pageCount}
          value={page}
          onChange={onPage}
          getItemProps={(number) => ({ "aria-label": `Page ${number}` })}
          getControlProps={(control) => ({
            "aria-label": control === "next" ? "Next page" : "Previous page",
          })}
        />
      )}
    </Group>
  );
}
