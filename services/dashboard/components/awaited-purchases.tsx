import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMoment } from "../api/processor-clock.ts";
import { awaitedPurchasesQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "./dimmed.tsx";
import { EmailText } from "./email-text.tsx";
import { formatCount, formatWait, priceWords } from "./format.ts";
import { LinkTo } from "./links.tsx";
import { Rows } from "./lists.tsx";
import { Section } from "./section.tsx";

/** Placements that were bought and have no ad yet, the newest first. Nothing if there are none. */
export function AwaitedPurchases() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(awaitedPurchasesQuery(workspaceId));
  const { atProcessor } = useMoment();
  if (data === undefined || data.total === 0) return null;
  const others = data.total - data.items.length;
  return (
    <Section title="Waiting for an ad">
      <Rows label="Purchases without an ad">
        {data.items.map(({ id, advertiser, tier, tierPrice, createdAt }) => (
          <Group key={id} component="li" justify="space-between" gap="xs">
            <Stack gap={2} miw={0} style={{ overflowWrap: "anywhere" }}>
              <LinkTo
                to="/w/$workspaceId/advertisers/$advertiserId"
                params={{ workspaceId, advertiserId: advertiser.id }}
                fw={600}
              >
                <bdi dir="auto">{advertiser.name}</bdi>
              </LinkTo>
              {advertiser.email === null ? null : (
                <Dimmed>
                  <EmailText email={advertiser.email} />
                </Dimmed>
              )}
              <Dimmed>
                <bdi>{tier.name}</bdi>, <bdi>{priceWords(tierPrice)}</bdi>
              </Dimmed>
            </Stack>
            <Dimmed>Bought {formatWait(createdAt, atProcessor)} ago</Dimmed>
          </Group>
        ))}
      </Rows>
      {others <= 0 ? null : <Text size="sm">{formatCount(others)} more</Text>}
    </Section>
  );
}
