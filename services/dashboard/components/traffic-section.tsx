import { Button, Progress, Stack, Switch, Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { AdTraffic } from "#libs/contract/ad.ts";
import { CountingLink } from "./counting-link.tsx";
import type { Days } from "./days.tsx";
import { Dimmed } from "./dimmed.tsx";
import { formatCount, formatPercent } from "./format.ts";
import { Section } from "./section.tsx";
import { QueryView } from "./states.tsx";
import classes from "./traffic.module.css";
import { breakTrafficDown, type TrafficShare, trafficWords } from "./traffic-breakdown.ts";

interface TrafficSectionProps {
  readonly traffic: UseQueryResult<AdTraffic>;
  readonly days: Days;
  /** Whether only the summary is in view until somebody asks for more. */
  readonly isBrief?: boolean;
}

/** All accepted events of an ad or a workspace: what was counted, and what was not and why. */
export function TrafficSection({ traffic, days, isBrief = false }: TrafficSectionProps) {
  return (
    <Section title="Traffic quality" actions={<CountingLink />}>
      <QueryView query={traffic}>
        {(found) => <Breakdown traffic={found} days={days} isBrief={isBrief} />}
      </QueryView>
    </Section>
  );
}

interface BreakdownProps {
  readonly traffic: AdTraffic;
  readonly days: Days;
  readonly isBrief: boolean;
}

function Breakdown({ traffic, days, isBrief }: BreakdownProps) {
  const [isOpen, setOpen] = useState(!isBrief);
  const [showsAll, setShowsAll] = useState(false);
  const breakdown = breakTrafficDown(traffic);
  const { events, counted, uncounted } = breakdown;
  if (events === 0) {
    return (
      <Dimmed>
        No traffic in the last {days} days. Once ads are shown, you’ll see what was counted and what was
        filtered out.
      </Dimmed>
    );
  }
  const shares = [counted, ...uncounted];
  const absent = uncounted.filter((share) => share.events === 0);
  const shown = showsAll ? shares : shares.filter((share) => !absent.includes(share));
  return (
    <Stack gap="md">
      <Text size="sm">{trafficWords(breakdown, traffic.visitors, days)}</Text>
      <Progress.Root size="md" aria-hidden>
        {shares.map(({ verdict, share, color }) => (
          <Progress.Section key={verdict} value={share * 100} color={color} />
        ))}
      </Progress.Root>
      {isOpen ? (
        <>
          <Table aria-label="Events by result" verticalSpacing={6} horizontalSpacing={6}>
            <Table.Thead>
              <Table.Tr className={classes.figures}>
                <Table.Th>Result</Table.Th>
                <Table.Th>Impressions</Table.Th>
                <Table.Th>Clicks</Table.Th>
                <Table.Th visibleFrom="xs">Share</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((share) => (
                <VerdictRows key={share.verdict} share={share} />
              ))}
            </Table.Tbody>
          </Table>
          {absent.length === 0 ? null : (
            <Switch
              label={`Show reasons that didn’t occur (${absent.length})`}
              checked={showsAll}
              onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
            />
          )}
          <Dimmed size="xs">
            Events above your per-address limit aren’t stored. With Global Privacy Control on, events count
            but visitors don’t.
          </Dimmed>
        </>
      ) : (
        <Button variant="default" size="xs" w="fit-content" onClick={() => setOpen(true)}>
          Show results and reasons
        </Button>
      )}
    </Stack>
  );
}

function VerdictRows({ share }: { readonly share: TrafficShare }) {
  return (
    <>
      <Table.Tr className={classes.figures}>
        <Table.Th scope="row">
          <span
            aria-hidden
            className={classes.dot}
            style={{ background: `var(--mantine-color-${share.color.replace(".", "-")})` }}
          />
          {share.title}
        </Table.Th>
        <Table.Td>{formatCount(share.impressions)}</Table.Td>
        <Table.Td>{formatCount(share.clicks)}</Table.Td>
        <Table.Td visibleFrom="xs">{formatPercent(share.share)}</Table.Td>
      </Table.Tr>
      <Table.Tr>
        <Table.Td colSpan={4} pt={0}>
          <Dimmed size="xs">{share.reason}</Dimmed>
        </Table.Td>
      </Table.Tr>
    </>
  );
}
