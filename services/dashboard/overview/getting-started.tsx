import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { query } from "../api/client.ts";
import { fieldsQuery, tiersQuery } from "../api/queries.ts";
import { advertiseLink, useMay, useWorkspace } from "../api/workspace.ts";
import { CodeToCopy } from "../components/copy.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatCounted, formatWait } from "../components/format.ts";
import { Icon } from "../components/icon.tsx";
import { ButtonTo } from "../components/links.tsx";
import { NEW } from "../components/search.ts";
import { useEmbedTag, useNewestTier } from "../components/use-placement.ts";

/** A page with the tag shows up here this soon after it was opened. */
const REFRESH_MS = 5_000;

/** The steps to the first ad. */
export function GettingStarted({ title }: { readonly title: string }) {
  const workspace = useWorkspace();
  const { id: workspaceId, site } = workspace;
  const mayChange = useMay("Manager");
  const tiers = useQuery(tiersQuery(workspaceId));
  const fields = useQuery(fieldsQuery(workspaceId));
  useQuery(
    query.workspaces.get.queryOptions({
      input: { workspaceId },
      refetchInterval: site === null ? REFRESH_MS : false,
    }),
  );
  const hasTier = tiers.data?.some(({ isActive }) => isActive) ?? false;
  const hasFields = (fields.data?.length ?? 0) > 0;
  const link = advertiseLink(workspace);
  const tag = useEmbedTag(workspaceId, useNewestTier(workspaceId));
  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Dimmed mt={4}>The steps to your first ad. You’ll see impressions, clicks and revenue here.</Dimmed>
        </div>
        {mayChange && tiers.data !== undefined && site === null ? (
          <ButtonTo
            to="/w/$workspaceId/welcome"
            params={{ workspaceId }}
            search={hasTier ? { step: hasFields ? "tag" : "fields" } : {}}
          >
            Continue setup
          </ButtonTo>
        ) : null}
      </Group>
      <ol className="steps">
        <Step
          isDone={hasTier}
          title="Create a tier"
          text={hasTier ? "On sale" : "What you sell, and for how much."}
        >
          {hasTier || !mayChange ? null : (
            <ButtonTo
              to="/w/$workspaceId/tiers"
              params={{ workspaceId }}
              search={{ edit: NEW }}
              variant="default"
              w="fit-content"
            >
              Create a tier
            </ButtonTo>
          )}
        </Step>
        <Step
          isDone={hasFields}
          title="Choose what ads contain"
          text={
            hasFields
              ? formatCounted(fields.data?.length ?? 0, "field")
              : "A tagline, an image, a button: without fields, an ad is only a name and a link."
          }
        >
          {hasFields || !mayChange ? null : (
            <ButtonTo
              to="/w/$workspaceId/welcome"
              params={{ workspaceId }}
              search={{ step: "fields" }}
              variant="default"
              w="fit-content"
            >
              Add fields
            </ButtonTo>
          )}
        </Step>
        <Step
          isDone={site !== null}
          title="Add Placard to your site"
          text={
            site === null
              ? "Paste this where you want ads to appear. It stays empty until you approve your first ad."
              : `Seen on ${site.host} ${formatWait(site.seenAt, Date.now())} ago.`
          }
        >
          <CodeToCopy code={tag} label="Embed tag" action="Copy tag" />
        </Step>
        <Step
          isDone={false}
          title="Tell advertisers where to buy"
          text="Link to this page from your site, or share it with potential advertisers."
        >
          <Anchor href={link} target="_blank" rel="noreferrer" size="sm" style={{ wordBreak: "break-all" }}>
            {link}
          </Anchor>
        </Step>
      </ol>
    </Paper>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Step({ isDone, title, text, children }: StepProps) {
  const icon = isDone ? (
    <ThemeIcon color="teal.9" size={24} radius="xl">
      <Icon name="check" aria-label="Done" />
    </ThemeIcon>
  ) : (
    <ThemeIcon variant="default" size={24} radius="xl">
      <Icon name="circle" size={12} />
    </ThemeIcon>
  );
  return (
    <li>
      {icon}
      <Stack gap={6} miw={0}>
        <Text fw={600}>{title}</Text>
        <Dimmed>{text}</Dimmed>
        {children}
      </Stack>
    </li>
  );
}
