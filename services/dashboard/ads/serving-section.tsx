import { List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { query } from "../shell/client.ts";
import { formatMoment } from "../shell/format.ts";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Ad, Eligibility } from "./ad-shapes.ts";
import { ServingBadge } from "./badges.tsx";
import { Section } from "./section.tsx";

/** Whether the ad is being served, why not, since when and until when. */
export function ServingSection({ ad }: { readonly ad: Ad }) {
  const { id: workspaceId } = useWorkspace();
  const eligibility = useQuery(query.ads.eligibility.queryOptions({ input: { workspaceId, adId: ad.id } }));
  return (
    <Section title="Serving">
      <QueryView query={eligibility}>
        {({ eligible, reasons, ...span }) => (
          <Stack gap="sm" align="flex-start">
            <ServingBadge isServing={eligible} />
            {reasons.length === 0 ? null : (
              <List size="sm" spacing={4}>
                {reasons.map(({ code, message }) => (
                  <List.Item key={code}>{message}</List.Item>
                ))}
              </List>
            )}
            <Text size="sm" c="dimmed">
              {spanWords(eligible, span)}
            </Text>
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function spanWords(
  isServing: boolean,
  { servingSince, servingUntil }: Pick<Eligibility, "servingSince" | "servingUntil">,
): string {
  if (servingSince === null) return "It has not been on air yet.";
  const since = formatMoment(servingSince);
  if (isServing) {
    return servingUntil === null
      ? `On air since ${since}.`
      : `On air since ${since}, until ${formatMoment(servingUntil)}.`;
  }
  return servingUntil === null
    ? `Last on air from ${since}.`
    : `Last on air from ${since} to ${formatMoment(servingUntil)}.`;
}
