import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { query } from "../api/client.ts";
import { PER_PAGE } from "../api/load-all-pages.ts";
import { openRevisionsQuery, reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { StateBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatCount, formatWait, priceWords } from "../components/format.ts";
import { ButtonTo, LinkTo } from "../components/links.tsx";
import { Section } from "../components/section.tsx";
import { Problem } from "../components/states.tsx";
import { shortAddress } from "../components/web-address.ts";
import { AdThumbnail } from "./ad-thumbnail.tsx";
import classes from "./ads.module.css";
import { listToReview, type ToReview } from "./to-review.ts";

const SHOWN = 5;

/** What waits for the publisher's review, the longest wait first. */
export function ReviewQueue() {
  const { id: workspaceId } = useWorkspace();
  const pending = useQuery(
    query.ads.list.queryOptions({
      input: { workspaceId, status: "Pending", sort: "oldest", perPage: PER_PAGE },
    }),
  );
  const revisions = useQuery(openRevisionsQuery(workspaceId));
  const counts = useQuery(reviewQueueQuery(workspaceId));
  const failed = pending.error ?? revisions.error;
  if (failed !== null) {
    return <Problem error={failed} retry={() => Promise.all([pending.refetch(), revisions.refetch()])} />;
  }
  const queue = listToReview(pending.data?.items ?? [], revisions.data?.items ?? []);
  const known = counts.data === undefined ? 0 : counts.data.ads + counts.data.revisions;
  if (pending.data === undefined || revisions.data === undefined) {
    return known === 0 ? null : <Skeleton h={110 + 72 * Math.min(known, SHOWN)} />;
  }
  if (queue.length === 0) return null;

  const total = Math.max(known, queue.length);
  const others = total - SHOWN;
  return (
    <Section title={`To review (${formatCount(total)})`}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: "none" }}>
        {queue.slice(0, SHOWN).map((entry) => (
          <QueueRow key={`${entry.kind} ${entry.adId}`} entry={entry} />
        ))}
      </Stack>
      {others <= 0 ? null : (
        <Text size="sm" mt="md">
          {formatCount(others)} more.{" "}
          <LinkTo
            to="/w/$workspaceId/ads"
            params={{ workspaceId }}
            search={{ status: "Pending", sort: "oldest" }}
            size="sm"
          >
            Show all pending ads
          </LinkTo>
        </Text>
      )}
    </Section>
  );
}

function QueueRow({ entry }: { readonly entry: ToReview }) {
  const { id: workspaceId } = useWorkspace();
  const { adId, ad, kind, name, websiteUrl, since } = entry;
  const bought =
    ad === null ? "" : `${ad.subscription.tier.name}, ${priceWords(ad.subscription.tierPrice)} · `;
  return (
    <li className={classes.row}>
      <AdThumbnail ad={{ id: adId, name, faviconUrl: ad?.faviconUrl ?? null }} />
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            <bdi dir="auto">{name}</bdi>
          </Text>
          <StateBadge color={kind === "ad" ? "yellow" : "blue"} text={kind === "ad" ? "New ad" : "Edit"} />
        </Group>
        <Dimmed lineClamp={1} style={{ wordBreak: "break-all" }}>
          {shortAddress(websiteUrl)}
        </Dimmed>
        <Dimmed>
          {bought}Waiting {formatWait(since, Date.now())}
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
