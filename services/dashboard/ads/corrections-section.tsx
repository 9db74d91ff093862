import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type CorrectionView, newCorrection } from "#libs/contract/corrections.ts";
import type { CorrectionStatus } from "#libs/domain/correction.ts";
import { api, query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { StateBadge } from "../components/badges.tsx";
import { formatCount, formatStatsDay } from "../components/format.ts";
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

/** In the order in which they are listed: first what asks for a decision. */
const BADGES: Readonly<Record<CorrectionStatus, { readonly color: string; readonly text: string }>> = {
  Proposed: { color: "yellow", text: "Proposed" },
  Applied: { color: "red", text: "Not counted" },
  Dismissed: { color: "gray", text: "Dismissed" },
};

const ORDER = Object.keys(BADGES);
/** Corrections that are listed until somebody asks for all. */
const SHOWN = 5;

/** Days of the ad whose traffic was found invalid afterwards, or might be. */
export function CorrectionsSection({ adId }: AdProps) {
  const { id: workspaceId } = useWorkspace();
  const mayChange = useMay("Manager");
  const [isAdding, setAdding] = useState(false);
  const corrections = useQuery(query.corrections.list.queryOptions({ input: { workspaceId, adId } }));
  return (
    <Section
      title="Corrections"
      text="Days whose traffic turned out to be invalid. Corrected days don’t count in any figure, and the advertiser sees them with the reason."
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
          items.length === 0 ? null : <CorrectionRows adId={adId} items={items} mayChange={mayChange} />
        }
      </QueryView>
    </Section>
  );
}

interface CorrectionRowsProps extends AdProps {
  readonly items: readonly CorrectionView[];
  readonly mayChange: boolean;
}

function CorrectionRows({ adId, items, mayChange }: CorrectionRowsProps) {
  const [isWhole, setWhole] = useState(false);
  // What is decided keeps its place, so that a second click hits no other row. New ones come first.
  const [places] = useState(() =>
    items
      .toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))
      .map(({ id }) => id),
  );
  const sorted = items.toSorted((one, other) => places.indexOf(one.id) - places.indexOf(other.id));
  return (
    <>
      <Rows label="Corrections">
        {(isWhole ? sorted : sorted.slice(0, SHOWN)).map((item) => (
          <CorrectionRow key={item.id} adId={adId} shown={item} mayChange={mayChange} />
        ))}
      </Rows>
      {isWhole || items.length <= SHOWN ? null : (
        <Button variant="subtle" size="compact-sm" mt="md" onClick={() => setWhole(true)}>
          Show all {formatCount(items.length)}
        </Button>
      )}
    </>
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
  const { queryKey } = query.corrections.list.queryOptions({ input: { workspaceId, adId } });
  // Before the list is read again, so that its buttons are not there for a second click.
  const show = (status: CorrectionStatus) => (_answer: unknown, client: QueryClient) =>
    void client.setQueryData(
      queryKey,
      (list) =>
        list && {
          ...list,
          items: list.items.map((item) => (item.id === shown.id ? { ...item, status } : item)),
        },
    );
  const apply = useAction({
    send: () => api.corrections.apply(one),
    done: `${days}: no longer counted`,
    reload: CHANGED,
    onDone: show("Applied"),
  });
  const revoke = useAction({
    question: () =>
      shown.status === "Applied"
        ? {
            title: `Revoke the correction of ${days}?`,
            text: "Its events count again, unless another correction has the same days.",
            action: "Revoke",
          }
        : null,
    send: () => api.corrections.revoke(one),
    done: shown.status === "Applied" ? `Correction of ${days} revoked` : "Proposal dismissed",
    reload: CHANGED,
    onDone: show("Dismissed"),
  });
  return (
    <Row title={days} badge={<StateBadge {...BADGES[shown.status]} />} detail={shown.reason}>
      {mayChange && shown.status !== "Dismissed" ? (
        <Button
          variant="default"
          size="xs"
          loading={revoke.isBusy}
          aria-label={shown.status === "Applied" ? `Revoke ${days}` : `Dismiss ${days}`}
          onClick={() => void revoke.act()}
        >
          {shown.status === "Applied" ? "Revoke" : "Dismiss"}
        </Button>
      ) : null}
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
    </Row>
  );
}

const IF_MISSING = { from: "Choose a day.", to: "Choose a day.", reason: "Say why." };

function NewCorrection({ adId, onClose }: AdProps & { readonly onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const state = useDraftForm(
    { from: "", to: "", reason: "" },
    {
      check: (draft) => checkInput(newCorrection, draft, IF_MISSING),
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
