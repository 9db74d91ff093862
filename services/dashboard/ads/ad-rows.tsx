import { Card, Group, Stack, Table, Text } from "@mantine/core";
import type { AdInList } from "#libs/contract/ad.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { useMoment } from "../api/processor-clock.ts";
import { useWorkspace } from "../api/workspace.ts";
import { AdThumbnail } from "../components/ad-thumbnail.tsx";
import { ReviewBadge, RunBadges, StateBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatClickRate, formatCount, formatDate, priceWords } from "../components/format.ts";
import { RowLink } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { shortAddress } from "../components/web-address.ts";
import rows from "./ad-rows.module.css";
import { whyNotServed } from "./serving-section.tsx";

interface AdRowsProps {
  readonly ads: readonly AdInList[];
  /** Ads with an edit that waits for a decision. */
  readonly edited: ReadonlySet<string>;
}

/** Ads as a table, or in one column on phones. */
export function AdRows({ ads, edited }: AdRowsProps) {
  return (
    <Card withBorder padding={0}>
      <Table aria-label="Ads" verticalSpacing="sm" horizontalSpacing="xs" highlightOnHover>
        <Table.Thead visibleFrom="md">
          <Table.Tr>
            <Table.Th className={rows.ad ?? ""}>Ad</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Tier</Table.Th>
            <Table.Th visibleFrom="lg" className={rows.advertiser ?? ""}>
              Advertiser
            </Table.Th>
            <Table.Th ta="end" className={rows.short ?? ""}>
              Impressions
            </Table.Th>
            <Table.Th ta="end">Clicks</Table.Th>
            <Table.Th ta="end">CTR</Table.Th>
            <Table.Th visibleFrom="xl">Submitted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ads.map((ad) => (
            <AdRow key={ad.id} ad={ad} isEdited={edited.has(ad.id) && !hasEnded(ad.subscription.status)} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function AdRow({ ad, isEdited }: { readonly ad: AdInList; readonly isEdited: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const { tier, tierPrice, advertiser } = ad.subscription;
  const recent = ad.last30Days ?? null;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <AdThumbnail ad={ad} />
          <Stack gap={4} miw={0}>
            <RowLink to="/w/$workspaceId/ads/$adId" params={{ workspaceId, adId: ad.id }} size="sm">
              {ad.name}
            </RowLink>
            <Dimmed size="xs" lineClamp={1} style={{ wordBreak: "break-all" }}>
              {shortAddress(ad.websiteUrl)}
            </Dimmed>
            <Stack gap={4} hiddenFrom="md">
              <States ad={ad} isEdited={isEdited} />
              <Dimmed size="xs">
                <bdi>{tier.name}</bdi>, <bdi>{priceWords(tierPrice)}</bdi>
              </Dimmed>
              {recent === null ? null : (
                <Dimmed size="xs">
                  {formatCount(recent.impressions)} impressions, {formatCount(recent.clicks)} clicks, CTR{" "}
                  {formatClickRate(recent)}
                </Dimmed>
              )}
            </Stack>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <States ad={ad} isEdited={isEdited} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">
          <bdi>{tier.name}</bdi>
        </Text>
        <Dimmed size="xs" className={rows.short ?? ""}>
          {priceWords(tierPrice)}
        </Dimmed>
      </Table.Td>
      <Table.Td visibleFrom="lg" className={rows.advertiser ?? ""}>
        <Text size="sm" truncate>
          <bdi>{advertiser.name}</bdi>
        </Text>
        <Dimmed size="xs" truncate>
          {advertiser.email}
        </Dimmed>
      </Table.Td>
      <Table.Td visibleFrom="md" ta="end" className="figures">
        {recent === null ? "–" : formatCount(recent.impressions)}
      </Table.Td>
      <Table.Td visibleFrom="md" ta="end" className="figures">
        {recent === null ? "–" : formatCount(recent.clicks)}
      </Table.Td>
      <Table.Td visibleFrom="md" ta="end" className="figures">
        {recent === null ? "–" : formatClickRate(recent)}
      </Table.Td>
      <Table.Td visibleFrom="xl" style={{ whiteSpace: "nowrap" }}>
        <Text size="sm">{formatDate(ad.createdAt)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

function States({ ad, isEdited }: { readonly ad: AdInList; readonly isEdited: boolean }) {
  const { atProcessor } = useMoment();
  const isServing = whyNotServed(ad, atProcessor).length === 0;
  return (
    <Group gap={6}>
      <ReviewBadge ad={ad} />
      {ad.status === "Rejected" ? null : <RunBadges ad={ad} isServing={isServing} />}
      {isEdited ? <StateBadge color="yellow" text="Edit to review" /> : null}
    </Group>
  );
}
