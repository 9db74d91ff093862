import { Button, Group, Select, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ADVERTISER_ORDERS, type AdvertiserOrder } from "#libs/domain/list-orders.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { formatMoney } from "../components/format.ts";
import classes from "../components/lists.module.css";
import { Notice } from "../components/notice.tsx";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { SearchBox } from "../components/search-box.tsx";
import { Empty } from "../components/states.tsx";
import { SubscriptionSelect } from "../components/subscription-select.tsx";
import { AdvertiserRows } from "./advertiser-rows.tsx";
import { type AdvertisersSearch, readAdvertisersSearch } from "./search.ts";

const SORT_WORDS: Readonly<Record<AdvertiserOrder, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "By name",
  monthly: "Highest monthly",
  lifetime: "Highest lifetime",
  unpaid: "Most owed",
};

/** The advertisers of the workspace. */
export function AdvertisersPage() {
  const { id: workspaceId } = useWorkspace();
  const filters = useSearch({ from: "/signed-in/w/$workspaceId/advertisers" });
  const { q = "", page = 1, subscription, sort } = filters;
  const navigate = useNavigate({ from: "/w/$workspaceId/advertisers" });
  const advertisers = useQuery(
    query.advertisers.list.queryOptions({
      input: {
        workspaceId,
        page,
        ...(q === "" ? {} : { query: q }),
        ...(subscription === undefined ? {} : { subscription }),
        ...(sort === undefined ? {} : { sort }),
      },
      placeholderData: keepPreviousData,
    }),
  );
  const change = (changed: Readonly<Partial<Record<keyof AdvertisersSearch, unknown>>>) =>
    void navigate({
      search: readAdvertisersSearch({ ...filters, page: 1, ...changed }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = q !== "" || subscription !== undefined;

  return (
    <Page title="Advertisers">
      <Unpaid
        unpaid={advertisers.data?.unpaid ?? []}
        // Not the filter for past due: an ended subscription may have left an open invoice.
        onShow={() => change({ sort: "unpaid", subscription: "", q: "" })}
      />
      <search className={classes.bar}>
        <SearchBox
          label="Search advertisers"
          placeholder="Name or email address"
          value={q}
          onChange={(text) => change({ q: text })}
        />
        <SubscriptionSelect value={subscription} onChange={(chosen) => change({ subscription: chosen })} />
        <Select
          aria-label="Order"
          allowDeselect={false}
          data={ADVERTISER_ORDERS.map((value) => ({ value, label: SORT_WORDS[value] }))}
          value={sort ?? "newest"}
          onChange={(chosen) => change({ sort: chosen })}
        />
      </search>
      <PagedList
        query={advertisers}
        what="advertiser"
        empty={<NoAdvertisers onClear={isFiltered ? () => change({ q: "", subscription: "" }) : null} />}
        onPage={(chosen) => void navigate({ search: (now) => ({ ...now, page: chosen }) })}
      >
        {(rows) => <AdvertiserRows advertisers={rows} />}
      </PagedList>
    </Page>
  );
}

interface UnpaidProps {
  readonly unpaid: readonly { readonly currency: string; readonly amount: number }[];
  readonly onShow: () => void;
}

/** What all advertisers together owe. Nothing if they owe nothing. */
function Unpaid({ unpaid, onShow }: UnpaidProps) {
  if (unpaid.length === 0) return null;
  const amounts = unpaid.map(({ amount, currency }) => formatMoney(amount, currency));
  return (
    <Notice color="red" icon="receipt-off" title={`${amounts.join(" and ")} unpaid in all`}>
      <Group gap="sm" justify="space-between">
        <Text size="sm">Still owed on open invoices.</Text>
        <Button variant="default" size="xs" onClick={onShow}>
          Show who owes most
        </Button>
      </Group>
    </Notice>
  );
}

/** `onClear` is null without a search or a filter. */
function NoAdvertisers({ onClear }: { readonly onClear: (() => void) | null }) {
  if (onClear === null) {
    return <Empty title="No advertisers yet" text="Advertisers appear here once they buy a tier." />;
  }
  return (
    <Empty
      title="No matching advertisers"
      text="Try another filter. The search finds parts of names and email addresses."
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  );
}
