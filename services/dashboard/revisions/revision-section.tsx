import { Button, Group, Stack, Text } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";
import { useState } from "react";
import type { Ad, Field } from "../ads/ad-shapes.ts";
import { isConflict } from "../ads/conflict.tsx";
import { CreativePreview } from "../ads/creative-preview.tsx";
import { NoteDialog } from "../ads/note-dialog.tsx";
import { Notice } from "../ads/notice.tsx";
import { Section } from "../ads/section.tsx";
import type { Revision } from "../ads/to-review.ts";
import { formatMoment } from "../shell/format.ts";
import { useMay } from "../shell/workspace.tsx";
import { Difference } from "./difference.tsx";
import { REVISION_WORDS, type RevisionAction } from "./revision-decisions.ts";
import { compareCreatives } from "./revision-difference.ts";
import classes from "./revision-section.module.css";
import type { useDecideRevision } from "./use-decide-revision.ts";

interface RevisionSectionProps {
  readonly ad: Ad;
  readonly revision: Revision;
  readonly fields: readonly Field[];
  readonly decide: ReturnType<typeof useDecideRevision>;
}

/** What the advertiser proposes, beside what is running, and the decisions on it. */
export function RevisionSection({ ad, revision, fields, decide }: RevisionSectionProps) {
  // The icon belongs to the site: of another one it is not known before the edit is approved.
  const faviconUrl = revision.websiteUrl === ad.websiteUrl ? ad.faviconUrl : null;
  return (
    <Section title="Proposed edit" actions={<RevisionActions decide={decide} />}>
      <Stack gap="lg">
        <Text size="sm">
          Submitted {formatMoment(revision.submittedAt)}. The running creative stays on air until you approve
          the edit.
        </Text>
        {revision.note === null ? null : (
          <Notice color="blue" icon={<IconMessage />} title="Changes requested: waiting for the advertiser">
            <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              <bdi dir="auto">{revision.note}</bdi>
            </Text>
          </Notice>
        )}
        <div className={classes.sides}>
          <Side title="Running">
            <CreativePreview creative={ad} fields={fields} />
          </Side>
          <Side title="Proposed">
            <CreativePreview creative={{ ...revision, faviconUrl }} fields={fields} />
          </Side>
        </div>
        <Difference changes={compareCreatives(ad, revision, fields)} />
      </Stack>
    </Section>
  );
}

function Side({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Stack gap="xs" miw={0}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}

function RevisionActions({ decide }: Pick<RevisionSectionProps, "decide">) {
  const mayDecide = useMay("Manager");
  const [asking, setAsking] = useState<Exclude<RevisionAction, "approve"> | null>(null);
  if (!mayDecide) return null;

  const ask = (action: Exclude<RevisionAction, "approve">) => {
    decide.reset();
    setAsking(action);
  };
  const send = (note: string) => {
    if (asking === null) return;
    decide.mutate(
      { action: asking, note },
      {
        onSuccess: () => setAsking(null),
        onError: (error) => {
          if (isConflict(error)) setAsking(null);
        },
      },
    );
  };
  const isDoing = (action: RevisionAction) => decide.isPending && decide.variables.action === action;
  return (
    <Group gap="sm">
      <Button
        size="xs"
        loading={isDoing("approve")}
        disabled={decide.isPending}
        onClick={() => decide.mutate({ action: "approve" })}
      >
        Approve edit
      </Button>
      <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => ask("request-changes")}>
        Request changes to the edit
      </Button>
      <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => ask("reject")}>
        Reject edit
      </Button>
      <NoteDialog
        words={asking === null ? null : REVISION_WORDS[asking]}
        isSending={decide.isPending}
        error={decide.error}
        onClose={() => setAsking(null)}
        onSend={send}
      />
    </Group>
  );
}
