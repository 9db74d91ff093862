import { Group, List, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Ad, Eligibility, ListedAd } from "#libs/contract/ad.ts";
import { reasonsNotServed } from "#libs/domain/eligibility.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { unusedPart } from "#libs/domain/rejection-refund.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { RunBadges } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatMoney } from "../components/format.ts";
import { Moment } from "../components/moment.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";

/** Whether the ad is live, why not, and since when. */
export function ServingSection({ ad }: { readonly ad: Ad }) {
  const { id: workspaceId } = useWorkspace();
  const eligibility = useQuery(query.ads.eligibility.queryOptions({ input: { workspaceId, adId: ad.id } }));
  return (
    <Section title="Status">
      <QueryView query={eligibility}>
        {({ eligible, reasons, ...span }) => (
          <Stack gap="sm" align="flex-start">
            <Group gap={6}>
              <RunBadges ad={ad} isServing={eligible} />
            </Group>
            {reasons.length === 0 ? null : (
              <List size="sm" spacing={4}>
                {reasons.map(({ code, message }) => (
                  <List.Item key={code}>{message}</List.Item>
                ))}
              </List>
            )}
            <Span isServing={eligible} span={span} isOver={hasEnded(ad.subscription.status)} />
            <Unused ad={ad} />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

/** What was paid for time that was left when a stopped subscription ended. */
function Unused({ ad }: { readonly ad: Ad }) {
  const { status, paidAmount, stoppedAt, currentPeriodStart, currentPeriodEnd } = ad.subscription;
  const at = asInstant(stoppedAt);
  const start = asInstant(currentPeriodStart);
  const end = asInstant(currentPeriodEnd);
  if (!hasEnded(status) || paidAmount === null || at === null || start === null || end === null) return null;
  const { currency } = ad.subscription.tierPrice;
  const unused = unusedPart({ paidAmount, currency, start, end }, at);
  if (unused === 0) return null;
  return (
    <Dimmed>
      The ad was off the air when its subscription ended: {formatMoney(unused, currency)} of the last payment
      was unused. What hasn’t been refunded of it can be refunded with the payment.
    </Dimmed>
  );
}

interface SpanProps {
  readonly isServing: boolean;
  readonly span: Pick<Eligibility, "servingSince" | "servingUntil">;
  readonly isOver: boolean;
}

/** When the ad was live, or is. */
function Span({ isServing, span: { servingSince, servingUntil }, isOver }: SpanProps) {
  if (servingSince === null)
    return <Dimmed>{isOver ? "It was never live." : "It hasn’t been live yet."}</Dimmed>;
  const until = isServing ? ", until " : " to ";
  return (
    <Dimmed>
      {isServing ? "Live since " : "Last live from "}
      <Moment at={servingSince} />
      {servingUntil === null ? null : (
        <>
          {until}
          <Moment at={servingUntil} />
        </>
      )}
      .
    </Dimmed>
  );
}

/** Why an ad is not served at `now`, in sentences; empty if it is eligible. */
export function whyNotServed(ad: Pick<ListedAd, "status" | "subscription">, now: ProcessorTime): string[] {
  const { subscription } = ad;
  const reasons = reasonsNotServed(
    {
      adStatus: ad.status,
      subscriptionStatus: subscription.status,
      cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
      cancelAt: asInstant(subscription.cancelAt),
      currentPeriodEnd: asInstant(subscription.currentPeriodEnd),
      graceEndsAt: asInstant(subscription.graceEndsAt),
      awaitsCharge: subscription.awaitsCharge,
      heldUntil: subscription.awaitsApproval ? asInstant(subscription.currentPeriodEnd) : null,
    },
    now,
  );
  return reasons.map(({ message }) => message);
}

function asInstant(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
