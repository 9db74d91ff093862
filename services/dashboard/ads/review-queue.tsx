import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Ad } from "#libs/contract/ad.ts";
import type { ToReview } from "#libs/contract/ads.ts";
import type { Field } from "#libs/contract/fields.ts";
import { api, query } from "../api/client.ts";
import { fieldsQuery, reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { CreativeImage } from "../components/ad-thumbnail.tsx";
import { StateBadge } from "../components/badges.tsx";
import { listCreativeValues } from "../components/creative-values.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { formatCount, formatWait, priceWords } from "../components/format.ts";
import { ButtonTo, LinkTo } from "../components/links.tsx";
import { Section } from "../components/section.tsx";
import { Problem } from "../components/states.tsx";
import { shortAddress } from "../components/web-address.ts";
import classes from "./ads.module.css";

const SHOWN = 5;

/** What waits for the publisher's review, the longest wait first; the rest is on a page of its own. */
export function ReviewQueue() {
  const { id: workspaceId } = useWorkspace();
  const queue = useQuery(reviewQueueQuery(workspaceId));
  if (queue.data === undefined) {
    return queue.error === null ? (
      <Skeleton h={110} />
    ) : (
      <Problem error={queue.error} retry={queue.refetch} />
    );
  }
  const { items, total } = queue.data;
  if (total === 0) return null;
  return (
    <Section title={`To review (${formatCount(total)})`}>
      <QueueRows entries={items.slice(0, SHOWN)} />
      {total <= SHOWN ? null : (
        <Text size="sm" mt="md">
          {formatCount(total - SHOWN)} more.{" "}
          <LinkTo to="/w/$workspaceId/review" params={{ workspaceId }} size="sm">
            Show all
          </LinkTo>
        </Text>
      )}
    </Section>
  );
}

/** Entries of the review queue, each with a link to its ad. */
export function QueueRows({ entries }: { readonly entries: readonly ToReview[] }) {
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: "none" }}>
      {entries.map((entry) => (
        <QueueRow key={`${entry.kind} ${entry.adId}`} entry={entry} />
      ))}
    </Stack>
  );
}

function QueueRow({ entry }: { readonly entry: ToReview }) {
  const { id: workspaceId } = useWorkspace();
  const { adId, kind, name, websiteUrl, faviconUrl, submittedAt, tier, tierPrice } = entry;
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const meta = useSubmitted(entry, inViewport);
  const { data: fields = [] } = useQuery(fieldsQuery(workspaceId));
  const line = firstLine(fields, meta);
  return (
    <li className={classes.row} ref={ref}>
      <CreativeImage creative={{ name, faviconUrl, meta }} size={72} />
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            <bdi dir="auto">{name}</bdi>
          </Text>
          <StateBadge color={kind === "ad" ? "yellow" : "blue"} text={kind === "ad" ? "New ad" : "Edit"} />
          {entry.isResubmission ? <StateBadge color="gray.6" text="Submitted again" /> : null}
        </Group>
        {line === null ? null : (
          <Text size="sm" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
            <bdi dir="auto">{line}</bdi>
          </Text>
        )}
        <Dimmed lineClamp={1} style={{ wordBreak: "break-all" }}>
          {shortAddress(websiteUrl)}
        </Dimmed>
        <Dimmed style={{ overflowWrap: "anywhere" }}>
          <bdi>{tier.name}</bdi>, <bdi>{priceWords(tierPrice)}</bdi> · Waiting{" "}
          {formatWait(submittedAt, Date.now())}
        </Dimmed>
      </Stack>
      <ButtonTo
        to="/w/$workspaceId/ads/$adId"
        params={{ workspaceId, adId }}
        variant="light"
        aria-label={`Review ${name}`}
        className={classes.button ?? ""}
      >
        Review
      </ButtonTo>
    </li>
  );
}

/** The field values that were submitted, loaded once the entry is in view. */
function useSubmitted({ adId, kind, submittedAt }: ToReview, isInView: boolean): Ad["meta"] {
  const { id: workspaceId } = useWorkspace();
  const input = { workspaceId, adId };
  const whole = useQuery({
    queryKey: [...query.ads.toReview.key(), "submitted", workspaceId, kind, adId, submittedAt],
    queryFn: async () => (kind === "ad" ? await api.ads.get(input) : await api.revisions.get(input)).meta,
    enabled: isInView,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return whole.data ?? [];
}

/** The first text of a submission, which says most about it. */
function firstLine(fields: readonly Field[], meta: Ad["meta"]): string | null {
  const texts = fields.filter(({ type, isPublisherOnly }) => type.startsWith("Text") && !isPublisherOnly);
  const [first] = listCreativeValues(texts, meta).flatMap(({ value }) => value ?? []);
  return typeof first === "string" ? first : null;
}
