import { Box, Button, Card, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ListedAdvertiser } from "#libs/contract/advertisers.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { formatCount, formatDate, formatMoney } from "../components/format.ts";
import { RowLink } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { SearchBox } from "../components/search-box.tsx";
import { Empty } from "../components/states.tsx";
import { AdvertiserBadge } from "./advertiser-badge.tsx";

/** The advertisers of the workspace, newest first. */
export function AdvertisersPage() {
  const { id: workspaceId } = useWorkspace();
  const { q = "", page = 1 } = useSearch({ from: "/signed-in/w/$workspaceId/advertisers" });
  const navigate = useNavigate({ from: "/w/$workspaceId/advertisers" });
  const advertisers = useQuery(
    query.advertisers.list.queryOptions({
      input: { workspaceId, page, ...(q === "" ? {} : { query: q }) },
      placeholderData: keepPreviousData,
    }),
  );
  const search = (text: string) =>
    void navigate({ search: text === "" ? {} : { q: text }, replace: true, resetScroll: false });

  return (
    <Page title="Advertisers">
      <Box component="search" maw={420}>
        <SearchBox
          label="Search advertisers"
          placeholder="Name or email address"
          value={q}
          onChange={search}
        />
      </Box>
      <PagedList
        query={advertisers}
        what="advertiser"
        empty={<NoAdvertisers onClear={q === "" ? null : () => search("")} />}
        onPage={(chosen) => void navigate({ search: (now) => ({ ...now, page: chosen }) })}
      >
        {(rows) => <AdvertiserRows advertisers={rows} />}
      </PagedList>
    </Page>
  );
}

/** `onClear` is null without a search. */
function NoAdvertisers({ onClear }: { readonly onClear: (() => void) | null }) {
  if (onClear === null) {
    return <Empty title="No advertisers yet" text="Advertisers appear here once they buy a tier." />;
  }
  return (
    <Empty
      title="No matching advertisers"
      text="The search finds parts of names and email addresses."
      action={
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  );
}

function AdvertiserRows({ advertisers }: { readonly advertisers: readonly ListedAdvertiser[] }) {
  return (
    <Card withBorder padding={0}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Advertiser</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="end" visibleFrom="lg">
              Active ads
            </Table.Th>
            <Table.Th ta="end" visibleFrom="md">
              Monthly
            </Table.Th>
            <Table.Th ta="end" visibleFrom="md">
              Lifetime
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
          <Dimmed size="xs" style={{ overflowWrap: "anywhere" }}>
            {advertiser.email ?? "No email address"}
          </Dimmed>
          <Text size="xs" hiddenFrom="md">
            {monthly}/month · {lifetime} total
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <AdvertiserBadge totals={totals} />
          {stateDay(advertiser) === null ? null : <Dimmed size="xs">{stateDay(advertiser)}</Dimmed>}
        </Stack>
      </Table.Td>
      <Table.Td ta="end" visibleFrom="lg">
        {formatCount(totals.activeAds)} of {formatCount(totals.ads)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {monthly}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {lifetime}
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
