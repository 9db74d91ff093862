import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import type { Revision } from "#libs/contract/revisions.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { useMay } from "../api/workspace.ts";
import { formatWait } from "../components/format.ts";
import { Section } from "../components/section.tsx";
import { CreativePreview } from "./creative-preview.tsx";
import { REVISION_WORDS, type RevisionAction } from "./decisions.ts";
import { Difference } from "./difference.tsx";
import { type Asked, NoteDialog } from "./note-dialog.tsx";
import { RequestedChanges } from "./notices.tsx";
import classes from "./review.module.css";
import { REVIEW_KEYS } from "./review-keys.ts";
import { compareCreatives } from "./revision-difference.ts";
import { SinceNote } from "./since-note.tsx";
import type { Decide } from "./use-decide.ts";

interface RevisionSectionProps {
  readonly ad: Ad;
  readonly revision: Revision;
  readonly fields: readonly Field[];
  readonly decide: Decide<RevisionAction>;
}

/** The proposed edit beside the current version, with the decisions on it. */
export function RevisionSection({ ad, revision, fields, decide }: RevisionSectionProps) {
  // The icon belongs to the site. Another site's icon is unknown until the edit is approved.
  const faviconUrl = revision.websiteUrl === ad.websiteUrl ? ad.faviconUrl : null;
  return (
    <Section title="Proposed edit" actions={<RevisionActions decide={decide} />}>
      <Stack gap="lg">
        <Text size="sm">
          {hasEnded(ad.subscription.status)
            ? "The subscription has ended, so this edit no longer waits for review."
            : `Waiting ${formatWait(revision.submittedAt, Date.now())}. The current version stays live until you approve the edit.`}
        </Text>
        {revision.note === null ? null : (
          <RequestedChanges title="Changes requested: waiting for the advertiser" note={revision.note} />
        )}
        <div className={classes.previews}>
          <Side title="Current">
            <CreativePreview creative={ad} fields={fields} />
          </Side>
          <Side title="Proposed">
            <CreativePreview creative={{ ...revision, faviconUrl }} fields={fields} />
          </Side>
        </div>
        <Difference
          changes={compareCreatives(ad, revision, fields)}
          titles={{ before: "Current", after: "Proposed" }}
          ifNone="This edit changes nothing that visitors see."
        />
        {revision.previous === null ? null : (
          <Section isPlain title="Changes since your note">
            <SinceNote previous={revision.previous} submitted={revision} fields={fields} />
          </Section>
        )}
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
  const [asked, setAsked] = useState<Asked<RevisionAction> | null>(null);
  if (!mayDecide) return null;

  const ask = (action: keyof typeof REVISION_WORDS) => {
    decide.reset();
    setAsked({ action, words: REVISION_WORDS[action] });
  };
  const isApproving = decide.isPending && decide.variables.action === "approve";
  return (
    <Group gap="sm">
      <Button
        size="xs"
        aria-keyshortcuts={REVIEW_KEYS.approve}
        loading={isApproving}
        disabled={decide.isPending}
        onClick={() => decide.mutate({ action: "approve" })}
      >
        Approve edit
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-keyshortcuts={REVIEW_KEYS["request-changes"]}
        disabled={decide.isPending}
        onClick={() => ask("request-changes")}
      >
        Request changes to the edit
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-keyshortcuts={REVIEW_KEYS.reject}
        disabled={decide.isPending}
        onClick={() => ask("reject")}
      >
        Reject edit
      </Button>
      <NoteDialog asked={asked} decide={decide} onClose={() => setAsked(null)} />
    </Group>
  );
}
