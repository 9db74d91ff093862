import { Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useId, useState } from "react";
import type { AuditEntry } from "#libs/contract/audit.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { LinkTo } from "../components/links.tsx";
import { Moment } from "../components/moment.tsx";
import classes from "./audit.module.css";
import { type ChangedValue, changedValues, type ResourceNames } from "./changes.ts";
import { sentenceOf } from "./sentence.ts";

/** One change as a sentence, with expandable details. */
export function AuditRow({ entry, names }: { readonly entry: AuditEntry; readonly names: ResourceNames }) {
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const { who, did, what, more } = sentenceOf(entry, names);
  const values = changedValues(entry, names);
  return (
    <li>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Text size="sm" style={{ flex: "1 1 18rem", overflowWrap: "anywhere" }}>
          <b>{who}</b> {did} {what === null ? null : <What entry={entry} what={what} />} {more}
        </Text>
        <Text size="sm" c="dimmed">
          <Moment at={entry.occurredAt} />
        </Text>
      </Group>
      {values.length === 0 ? null : (
        <>
          <UnstyledButton
            fz="sm"
            c="dimmed"
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={() => setOpen(!isOpen)}
            style={{ display: "inline-flex", alignItems: "center", gap: 2, marginTop: 2 }}
          >
            {isOpen ? <Icon name="chevron-down" size={14} /> : <Icon name="chevron-right" size={14} />}
            Details
          </UnstyledButton>
          <div id={details} hidden={!isOpen}>
            {isOpen ? <Values values={values} /> : null}
          </div>
        </>
      )}
    </li>
  );
}

function What({ entry, what }: { readonly entry: AuditEntry; readonly what: string }) {
  const { id: workspaceId } = useWorkspace();
  const { kind, id } = entry.resource;
  const name = <bdi>{what}</bdi>;
  if (kind === "ad" || kind === "revision") {
    return (
      <LinkTo to="/w/$workspaceId/ads/$adId" params={{ workspaceId, adId: id }} inherit>
        {name}
      </LinkTo>
    );
  }
  if (kind === "subscription" && entry.subject !== null) {
    const { id: advertiserId } = entry.subject.advertiser;
    return (
      <LinkTo to="/w/$workspaceId/advertisers/$advertiserId" params={{ workspaceId, advertiserId }} inherit>
        {name}
      </LinkTo>
    );
  }
  return <b>{name}</b>;
}

function Values({ values }: { readonly values: readonly ChangedValue[] }) {
  return (
    <dl className={classes.values}>
      {values.map(({ label, before, after }) => (
        <div key={label} style={{ display: "contents" }}>
          <dt>{label}</dt>
          <dd>
            {before === null || after === null ? before : <del>{before}</del>}
            {before === null || after === null ? null : (
              <>
                <Icon
                  name="arrow-narrow-right"
                  size={14}
                  style={{ margin: "0 6px", verticalAlign: "-2px" }}
                />
                <VisuallyHidden> then </VisuallyHidden>
              </>
            )}
            {after === null ? null : <ins style={{ textDecoration: "none" }}>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
