import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type CorrectionView, correction } from "#libs/contract/corrections.ts";
import type { CorrectionStatus } from "#libs/domain/correction.ts";
import { api, query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { StateBadge } from "../components/badges.tsx";
import { formatStatsDay } from "../components/format.ts";
import { checkInput } from "../components/forms/check-input.ts";
import { DraftForm, useDraftForm, useLeaveGuard } from "../components/forms/draft-form.tsx";
import { Row, Rows } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useAction } from "../components/use-action.ts";

interface AdProps {
  readonly adId: string;
}

/** All that shows counts of the ad. */
const CHANGED = [query.corrections.key(), query.ads.key(), query.stats.key(), query.reports.key()];

const BADGES: Readonly<Record<CorrectionStatus, { readonly color: string; readonly text: string }>> = {
  Applied: { color: "red", text: "Not counted" },
  Proposed: { color: "yellow", text: "Proposed" },
  Dismissed: { color: "gray", text: "Dismissed" },
};

/** Days of the ad whose traffic was found invalid afterwards, or might be. */
export function CorrectionsSection({ adId }: AdProps) {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  const [isAdding, setAdding] = useState(false);
  const corrections = useQuery(query.corrections.list.queryOptions({ input: { workspaceId, adId } }));
  return (
    <Section
      title="Corrections"
      text="Days whose traffic turned out to be invalid. They don’t count in any figure, and the advertiser sees the days and the reason."
      actions={
        mayChange && !isAdding ? (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            Correct days
          </Button>
        ) : null
      }
    >
      {isAdding ? <NewCorrection adId={adId} onClose={() => setAdding(false)} /> : null}
      <QueryView query={corrections}>
        {({ items }) =>
          items.length === 0 ? null : (
            <Rows label="Corrections">
              {items.map((item) => (
                <CorrectionRow key={item.id} adId={adId} shown={item} mayChange={mayChange} />
              ))}
            </Rows>
          )
        }
      </QueryView>
    </Section>
  );
}

interface CorrectionRowProps extends AdProps {
  readonly shown: CorrectionView;
  readonly mayChange: boolean;
}

function CorrectionRow({ adId, shown, mayChange }: CorrectionRowProps) {
  const { id: workspaceId } = useWorkspace();
  const one = { workspaceId, adId, correctionId: shown.id };
  const days = daysOf(shown);
  const apply = useAction({
    send: () => api.corrections.apply(one),
    done: `${days}: no longer counted`,
    reload: CHANGED,
  });
  const revoke = useAction({
    question: () =>
      shown.status === "Applied"
        ? {
            title: `Count ${days} again?`,
            text: "The events of these days count in every figure again.",
            action: "Count again",
          }
        : null,
    send: () => api.corrections.revoke(one),
    done: shown.status === "Applied" ? `${days}: counted again` : "Proposal dismissed",
    reload: CHANGED,
  });
  return (
    <Row title={days} badge={<StateBadge {...BADGES[shown.status]} />} detail={shown.reason}>
      {mayChange && shown.status !== "Applied" ? (
        <Button
          size="xs"
          loading={apply.isBusy}
          aria-label={`Apply ${days}`}
          onClick={() => void apply.act()}
        >
          Apply
        </Button>
      ) : null}
      {mayChange && shown.status !== "Dismissed" ? (
        <Button
          variant="default"
          size="xs"
          loading={revoke.isBusy}
          aria-label={shown.status === "Applied" ? `Count again: ${days}` : `Dismiss ${days}`}
          onClick={() => void revoke.act()}
        >
          {shown.status === "Applied" ? "Count again" : "Dismiss"}
        </Button>
      ) : null}
    </Row>
  );
}

const shape = correction.pick({ from: true, to: true, reason: true });

function NewCorrection({ adId, onClose }: AdProps & { readonly onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const state = useDraftForm(
    { from: "", to: "", reason: "" },
    {
      check: (draft) => checkInput(shape, draft),
      send: (input) => api.corrections.create({ workspaceId, adId, ...input }),
      done: "Days corrected",
      reload: CHANGED,
      onDone: onClose,
    },
  );
  useLeaveGuard(state.isDirty);
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Correct days" action="Don’t count these days" onCancel={onClose}>
      <Group gap="sm" align="flex-start" grow>
        <TextInput
          type="date"
          label="First day (UTC)"
          value={draft.from}
          error={errors.from}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
        <TextInput
          type="date"
          label="Last day (UTC)"
          value={draft.to}
          error={errors.to}
          onChange={({ currentTarget }) => change({ to: currentTarget.value })}
        />
      </Group>
      <Textarea
        label="Reason"
        description="The advertiser reads it, too."
        autosize
        minRows={2}
        maxRows={6}
        value={draft.reason}
        error={errors.reason}
        onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
      />
    </DraftForm>
  );
}

function daysOf({ from, to }: Pick<CorrectionView, "from" | "to">): string {
  const [first = "", last = ""] = [from, to].map((day) => formatStatsDay(`${day}T00:00:00.000Z`, true));
  return first === last ? first : `${first} – ${last}`;
}
