import { Group, Stack, Table, Text } from "@mantine/core";
import type { Advertiser } from "#libs/contract/advertisers.ts";
import { useWorkspace } from "../api/workspace.ts";
import { AdThumbnail } from "../components/ad-thumbnail.tsx";
import { ReviewBadge, SubscriptionBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatClickRate, formatCount, formatCounted, formatDate, priceWords } from "../components/format.ts";
import { RowLink } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { Section } from "../components/section.tsx";
import { endWords } from "../components/subscription-words.ts";
import { PurchasesWithoutAd } from "./purchases-without-ad.tsx";

type AdvertisersAd = Advertiser["ads"][number];

/** The newest ads of an advertiser with their subscriptions, newest first. */
export function HistorySection({
  id,
  ads,
  total,
}: Pick<Advertiser, "id" | "ads"> & { readonly total: number }) {
  const isCut = ads.length < total;
  return (
    <Section
      title="Ads and subscriptions"
      text={isCut ? `The newest ${ads.length} of ${formatCounted(total, "ad")}.` : undefined}
    >
      <PurchasesWithoutAd advertiserId={id} />
      {ads.length === 0 ? (
        <Dimmed>No ads submitted yet.</Dimmed>
      ) : (
        <Table aria-label="Ads and subscriptions" verticalSpacing="sm" highlightOnHover>
          <Table.Thead visibleFrom="md">
            <Table.Tr>
              <Table.Th>Ad</Table.Th>
              <Table.Th>Subscription</Table.Th>
              <Table.Th visibleFrom="lg">Bought</Table.Th>
              <Table.Th ta="end">Impressions</Table.Th>
              <Table.Th ta="end">Clicks</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ads.map((ad) => (
              <HistoryRow key={ad.id} ad={ad} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}

function HistoryRow({ ad }: { readonly ad: AdvertisersAd }) {
  const { id: workspaceId } = useWorkspace();
  const { subscription, stats } = ad;
  return (
    <Table.Tr className={classes.row} style={{ verticalAlign: "top", fontVariantNumeric: "tabular-nums" }}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <AdThumbnail ad={ad} />
          <Stack gap={4} miw={0} align="flex-start">
            <RowLink to="/w/$workspaceId/ads/$adId" params={{ workspaceId, adId: ad.id }}>
              {ad.name}
            </RowLink>
            <ReviewBadge ad={ad} />
            <Stack gap={4} hiddenFrom="md" align="flex-start">
              <Subscription ad={ad} />
              <Text size="xs">
                {formatCounted(stats.impressions, "impression")}, {formatCounted(stats.clicks, "click")}
              </Text>
            </Stack>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Subscription ad={ad} />
      </Table.Td>
      <Table.Td visibleFrom="lg" style={{ whiteSpace: "nowrap" }}>
        {formatDate(subscription.createdAt)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {formatCount(stats.impressions)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {formatCount(stats.clicks)}
        <Dimmed size="xs">{formatClickRate(stats)}</Dimmed>
      </Table.Td>
    </Table.Tr>
  );
}

function Subscription({ ad: { subscription } }: { readonly ad: AdvertisersAd }) {
  const end = endWords(subscription);
  return (
    <Stack gap={4} align="flex-start">
      <SubscriptionBadge subscription={subscription} />
      <Dimmed size="xs" style={{ overflowWrap: "anywhere" }}>
        <bdi>{subscription.tier.name}</bdi>, <bdi>{priceWords(subscription.tierPrice)}</bdi>
      </Dimmed>
      {end === null ? null : (
        <Dimmed size="xs">
          {end.name} {formatDate(end.at)}
          {end.why === undefined ? "" : `: ${end.why.toLowerCase()}`}
        </Dimmed>
      )}
    </Stack>
  );
}
