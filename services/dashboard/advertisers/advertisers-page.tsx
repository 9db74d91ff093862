import { Box, Button, Card, Group, Select, Stack, Table, Text } from "@mantine/core";
import { IconReceiptOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ListedAdvertiser } from "#libs/contract/advertisers.ts";
import { SUBSCRIPTION_FILTERS } from "#libs/domain/subscription.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SUBSCRIPTION_WORDS } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { EmailText } from "../components/email-text.tsx";
import { formatCount, formatDate, formatMoney } from "../components/format.ts";
import { RowLink } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { Notice } from "../components/notice.tsx";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { SearchBox } from "../components/search-box.tsx";
import { Empty } from "../components/states.tsx";
import { AdvertiserBadge } from "./advertiser-badge.tsx";
import {
  ADVERTISER_SORTS,
  type AdvertiserSort,
  type AdvertisersSearch,
  readAdvertisersSearch,
} from "./search.ts";

const SORT_WORDS: Readonly<Record<AdvertiserSort, string>> = {
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
        onShow={() => change({ subscription: "PastDue", q: "" })}
      />
      <search className={classes.bar}>
        <SearchBox
          label="Search advertisers"
          placeholder="Name or email address"
          value={q}
          onChange={(text) => change({ q: text })}
        />
        <Select
          aria-label="Subscription"
          allowDeselect={false}
          data={[
            { value: "", label: "Any subscription" },
            ...SUBSCRIPTION_FILTERS.map((value) => ({ value, label: SUBSCRIPTION_WORDS[value] })),
          ]}
          value={subscription ?? ""}
          onChange={(chosen) => change({ subscription: chosen })}
        />
        <Select
          aria-label="Order"
          allowDeselect={false}
          data={ADVERTISER_SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
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
    <Notice color="red" icon={<IconReceiptOff />} title={`${amounts.join(" and ")} unpaid in all`}>
      <Group gap="sm" justify="space-between">
        <Text size="sm">Still owed on open invoices.</Text>
        <Button variant="default" size="xs" onClick={onShow}>
          Show past due
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

function AdvertiserRows({ advertisers }: { readonly advertisers: readonly ListedAdvertiser[] }) {
  return (
    <Card withBorder padding={0}>
      <Table aria-label="Advertisers" verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Advertiser</Table.Th>
            <Table.Th visibleFrom="xs">Status</Table.Th>
            <Table.Th ta="end" visibleFrom="lg">
              Active ads
            </Table.Th>
            <Table.Th ta="end" visibleFrom="md">
              Monthly
            </Table.Th>
            <Table.Th ta="end" visibleFrom="md">
              Lifetime
            </Table.Th>
            <Table.Th ta="end" visibleFrom="md">
              Owed
            </Table.Th>
            <Table.Th visibleFrom="xl">Since</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {advertisers.map((advertiser) => (
            <AdvertiserRow key={advertiser.id} advertiser={advertiser} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function AdvertiserRow({ advertiser }: { readonly advertiser: ListedAdvertiser }) {
  const { id: workspaceId } = useWorkspace();
  const { totals } = advertiser;
  const monthly = formatMoney(totals.monthlyAmount, totals.currency);
  const lifetime = formatMoney(totals.lifetimeAmount, totals.currency);
  const owed = totals.unpaidAmount === 0 ? null : formatMoney(totals.unpaidAmount, totals.currency);
  const state = (
    <Stack gap={2} align="flex-start">
      <AdvertiserBadge totals={totals} />
      {stateDay(advertiser) === null ? null : <Dimmed size="xs">{stateDay(advertiser)}</Dimmed>}
    </Stack>
  );
  return (
    <Table.Tr className={classes.row} style={{ fontVariantNumeric: "tabular-nums" }}>
      <Table.Td>
        <Stack gap={2} miw={0}>
          <RowLink
            to="/w/$workspaceId/advertisers/$advertiserId"
            params={{ workspaceId, advertiserId: advertiser.id }}
          >
            {advertiser.name}
          </RowLink>
          <Dimmed size="xs" style={{ overflowWrap: "break-word" }}>
            {advertiser.email === null ? "No email address" : <EmailText email={advertiser.email} />}
          </Dimmed>
          <Text size="xs" hiddenFrom="md">
            {monthly}/month · {lifetime} total
          </Text>
          {owed === null ? null : (
            <Text size="xs" fw={600} hiddenFrom="md">
              {owed} owed
            </Text>
          )}
          <Box hiddenFrom="xs">{state}</Box>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="xs">{state}</Table.Td>
      <Table.Td ta="end" visibleFrom="lg">
        {formatCount(totals.activeAds)} of {formatCount(totals.ads)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {monthly}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {lifetime}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md" fw={owed === null ? 400 : 600}>
        {owed ?? "–"}
      </Table.Td>
      <Table.Td visibleFrom="xl" style={{ whiteSpace: "nowrap" }}>
        {formatDate(advertiser.createdAt)}
      </Table.Td>
    </Table.Tr>
  );
}

function stateDay({ totals }: ListedAdvertiser): string | null {
  if (totals.churnedAt !== null) return `Since ${formatDate(totals.churnedAt)}`;
  if (totals.cancelAt !== null) return `Ends ${formatDate(totals.cancelAt)}`;
  return totals.nextRenewalAt === null ? null : `Renews ${formatDate(totals.nextRenewalAt)}`;
}
