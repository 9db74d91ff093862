import { Progress, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Verdict } from "#libs/domain/event.ts";
import { query } from "../shell/client.ts";
import type { Days } from "../shell/days.tsx";
import { formatCount, formatPercent } from "../shell/format.ts";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import type { AdTraffic } from "./ad-shapes.ts";
import { Section } from "./section.tsx";
import { breakTrafficDown, type TrafficShare } from "./traffic-breakdown.ts";
import classes from "./traffic-section.module.css";

interface TrafficSectionProps {
  readonly adId: string;
  readonly days: Days;
}

const COLORS: Readonly<Record<Verdict, string>> = {
  valid: "teal.6",
  bot: "orange.6",
  prefetch: "blue.5",
  duplicate: "grape.5",
  not_serving: "gray.6",
};

/** Everything that was accepted for the ad: what counts, and what does not and why. */
export function TrafficSection({ adId, days }: TrafficSectionProps) {
  const { id: workspaceId } = useWorkspace();
  const traffic = useQuery(
    query.ads.traffic.queryOptions({
      input: { workspaceId, adId, days },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <Section title="What was counted, and what was not">
      <QueryView query={traffic}>{(found) => <Breakdown traffic={found} days={days} />}</QueryView>
    </Section>
  );
}

function Breakdown({ traffic, days }: { readonly traffic: AdTraffic; readonly days: Days }) {
  const { events, counted, uncounted, uncountedEvents, uncountedShare } = breakTrafficDown(traffic);
  if (events === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing has happened in the last {days} days. Once the ad is shown, this tells what of its traffic
        counts, and what does not and why.
      </Text>
    );
  }
  const shares = [counted, ...uncounted];
  return (
    <Stack gap="md">
      <Text size="sm">
        {uncountedEvents === 0
          ? `All ${formatCount(events)} events of the last ${days} days count.`
          : `${formatCount(uncountedEvents)} of ${formatCount(events)} events (${formatPercent(uncountedShare)}) of the last ${days} days do not count.`}
        {traffic.visitors === 0 ? "" : ` Those that count came from ${visitorWords(traffic.visitors)}.`}
      </Text>
      <Progress.Root size="md" aria-hidden>
        {shares.map(({ verdict, share }) => (
          <Progress.Section key={verdict} value={share * 100} color={COLORS[verdict]} />
        ))}
      </Progress.Root>
      <Table verticalSpacing={6} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr className={classes.figures}>
            <Table.Th>Verdict</Table.Th>
            <Table.Th>Impressions</Table.Th>
            <Table.Th>Clicks</Table.Th>
            <Table.Th visibleFrom="xs">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shares.map((share) => (
            <VerdictRows key={share.verdict} share={share} />
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function VerdictRows({ share }: { readonly share: TrafficShare }) {
  const [color, shade] = COLORS[share.verdict].split(".");
  return (
    <>
      <Table.Tr className={classes.figures}>
        <Table.Th scope="row">
          <span
            aria-hidden
            className={classes.dot}
            style={{ background: `var(--mantine-color-${color}-${shade})` }}
          />
          {share.title}
        </Table.Th>
        <Table.Td>{formatCount(share.impressions)}</Table.Td>
        <Table.Td>{formatCount(share.clicks)}</Table.Td>
        <Table.Td visibleFrom="xs">{formatPercent(share.share)}</Table.Td>
      </Table.Tr>
      <Table.Tr>
        <Table.Td colSpan={4} pt={0}>
          <Text size="xs" c="dimmed">
            {share.reason}
          </Text>
        </Table.Td>
      </Table.Tr>
    </>
  );
}

function visitorWords(visitors: number): string {
  return visitors === 1
    ? "one visitor"
    : `${formatCount(visitors)} visitors; one who came on two days is two of them`;
}
