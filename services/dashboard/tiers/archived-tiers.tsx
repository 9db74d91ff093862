import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Tier } from "./shapes.ts";
import { useArchiveTier } from "./use-archive-tier.ts";

interface ArchivedTiersProps {
  readonly tiers: readonly Tier[];
  readonly mayChange: boolean;
}

/** Tiers that nobody can buy any more, with the way back. */
export function ArchivedTiers({ tiers, mayChange }: ArchivedTiersProps) {
  const { id: workspaceId } = useWorkspace();
  const { unarchive, isChanging } = useArchiveTier();
  return (
    <Stack gap="sm" component="section" aria-labelledby="archived-tiers">
      <Title order={2} size="h4" id="archived-tiers">
        Archived
      </Title>
      <Text size="sm" c="dimmed">
        Not for sale. Ads bought in them before keep running.
      </Text>
      {tiers.map((tier) => (
        <Paper key={tier.id} withBorder p="sm" bg="transparent">
          <Group gap="sm" justify="space-between">
            {mayChange ? (
              <LinkTo
                to="/w/$workspaceId/tiers"
                params={{ workspaceId }}
                search={{ edit: tier.id }}
                style={{ overflowWrap: "anywhere" }}
              >
                {tier.name}
              </LinkTo>
            ) : (
              <Text>{tier.name}</Text>
            )}
            {mayChange ? (
              <Button
                variant="default"
                size="xs"
                disabled={isChanging}
                aria-label={`Put back on sale: ${tier.name}`}
                onClick={() => unarchive(tier)}
              >
                Put back on sale
              </Button>
            ) : null}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
