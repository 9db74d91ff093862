import { Card, Stack, Table, Text } from "@mantine/core";
import classes from "../ads/ad-rows.module.css";
import { formatCount, formatDate, formatMoney } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { AdvertiserBadge } from "./advertiser-badge.tsx";
import type { ListedAdvertiser } from "./advertiser-state.ts";

/** Advertisers as a table; on a phone, with the money below the name. */
export function AdvertiserRows({ advertisers }: { readonly advertisers: readonly ListedAdvertiser[] }) {
  return (
    <Card withBorder padding={0}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Advertiser</Table.Th>
            <Table.Th>State</Table.Th>
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
          <LinkTo
            to="/w/$workspaceId/advertisers/$advertiserId"
            params={{ workspaceId, advertiserId: advertiser.id }}
            className={classes.link ?? ""}
            fw={600}
          >
            <bdi dir="auto">{advertiser.name}</bdi>
          </LinkTo>
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {advertiser.email ?? "No e-mail address"}
          </Text>
          <Text size="xs" hiddenFrom="md">
            {monthly} a month, {lifetime} in all
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <AdvertiserBadge totals={totals} />
          {stateDay(advertiser) === null ? null : (
            <Text size="xs" c="dimmed">
              {stateDay(advertiser)}
            </Text>
          )}
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

/** The day that matters to the state: of the end, or of the next renewal. */
function stateDay({ totals }: ListedAdvertiser): string | null {
  if (totals.churnedAt !== null) return `Since ${formatDate(totals.churnedAt)}`;
  if (totals.cancelAt !== null) return `Ends ${formatDate(totals.cancelAt)}`;
  return totals.nextRenewalAt === null ? null : `Renews ${formatDate(totals.nextRenewalAt)}`;
}
