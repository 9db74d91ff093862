import { Box, Card, Stack, Table, Text } from "@mantine/core";
import type { ListedAdvertiser } from "#libs/contract/advertisers.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { EmailText } from "../components/email-text.tsx";
import { formatCount, formatDate, formatMoney } from "../components/format.ts";
import { RowLink } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { AdvertiserBadge } from "./advertiser-badge.tsx";

/** Advertisers as a table, or in one column on phones. */
export function AdvertiserRows({ advertisers }: { readonly advertisers: readonly ListedAdvertiser[] }) {
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
