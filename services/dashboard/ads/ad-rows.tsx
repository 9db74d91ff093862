import { Card, Group, Stack, Table, Text } from "@mantine/core";
import type { ListedAd } from "#libs/contract/ad.ts";
import { useWorkspace } from "../api/workspace.ts";
import { ReviewBadge, ServingBadge, StateBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatDate, priceWords } from "../components/format.ts";
import { RowLink } from "../components/links.tsx";
import classes from "../components/lists.module.css";
import { shortAddress } from "../components/web-address.ts";
import { AdThumbnail } from "./ad-thumbnail.tsx";
import { whyNotServed } from "./serving-section.tsx";

interface AdRowsProps {
  readonly ads: readonly ListedAd[];
  /** Ads with an edit that waits for a decision. */
  readonly edited: ReadonlySet<string>;
}

/** Ads as a table, or in one column on phones. */
export function AdRows({ ads, edited }: AdRowsProps) {
  return (
    <Card withBorder padding={0}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead visibleFrom="md">
          <Table.Tr>
            <Table.Th>Ad</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Tier</Table.Th>
            <Table.Th visibleFrom="lg">Advertiser</Table.Th>
            <Table.Th visibleFrom="xl">Submitted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ads.map((ad) => (
            <AdRow key={ad.id} ad={ad} isEdited={edited.has(ad.id)} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function AdRow({ ad, isEdited }: { readonly ad: ListedAd; readonly isEdited: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const { tier, tierPrice, advertiser } = ad.subscription;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <AdThumbnail ad={ad} />
          <Stack gap={4} miw={0}>
            <RowLink to="/w/$workspaceId/ads/$adId" params={{ workspaceId, adId: ad.id }}>
              {ad.name}
            </RowLink>
            <Dimmed size="xs" lineClamp={1} style={{ wordBreak: "break-all" }}>
              {shortAddress(ad.websiteUrl)}
            </Dimmed>
            <Stack gap={4} hiddenFrom="md">
              <States ad={ad} isEdited={isEdited} />
              <Dimmed size="xs">
                {tier.name}, {priceWords(tierPrice)}
              </Dimmed>
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
        <Dimmed size="xs">{priceWords(tierPrice)}</Dimmed>
      </Table.Td>
      <Table.Td visibleFrom="lg" style={{ overflowWrap: "anywhere" }}>
        <Text size="sm">
          <bdi>{advertiser.name}</bdi>
        </Text>
        <Dimmed size="xs">{advertiser.email}</Dimmed>
      </Table.Td>
      <Table.Td visibleFrom="xl" style={{ whiteSpace: "nowrap" }}>
        <Text size="sm">{formatDate(ad.createdAt)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

function States({ ad, isEdited }: { readonly ad: ListedAd; readonly isEdited: boolean }) {
  const isServing = whyNotServed(ad, Date.now()).length === 0;
  return (
    <Group gap={6}>
      <ReviewBadge ad={ad} />
      {ad.status === "Approved" ? <ServingBadge isServing={isServing} /> : null}
      {isEdited ? <StateBadge color="yellow" text="Edit to review" /> : null}
    </Group>
  );
}
