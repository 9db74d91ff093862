import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Member } from "#libs/contract/members.ts";
import type { ReportEmail } from "#libs/domain/report-emails.ts";
import { api, query } from "../api/client.ts";
import { membersQuery, takeMember } from "../api/queries.ts";
import { usePerson } from "../api/session.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Flag } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatCount } from "../components/format.ts";
import { Row, Rows } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useAction } from "../components/use-action.ts";

const CHOICES: readonly { readonly label: string; readonly reports: readonly ReportEmail[] }[] = [
  { label: "None", reports: [] },
  { label: "Weekly", reports: ["week"] },
  { label: "Monthly", reports: ["month"] },
  { label: "Weekly and monthly", reports: ["week", "month"] },
];

/** Which member gets which reports by email. */
export function ReportEmailsCard() {
  const { id: workspaceId } = useWorkspace();
  const mayChangeAll = useMay("Manager");
  const person = usePerson();
  const members = useQuery(membersQuery(workspaceId));
  return (
    <Section
      isSplit
      title="Reports to members"
      text="A report on all ads: every Monday for the past week, or on the 1st for the past month."
    >
      <QueryView query={members}>
        {(found) => (
          <Rows label="Reports to members">
            {found
              .map((member) => ({ member, isMe: member.person.id === person.id }))
              .toSorted((one, other) => Number(other.isMe) - Number(one.isMe))
              .map(({ member, isMe }) => (
                <MemberReports key={member.id} member={member} isMe={isMe} mayChange={isMe || mayChangeAll} />
              ))}
          </Rows>
        )}
      </QueryView>
    </Section>
  );
}

interface MemberReportsProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly mayChange: boolean;
}

function MemberReports({ member, isMe, mayChange }: MemberReportsProps) {
  const { id: workspaceId } = useWorkspace();
  const { id: memberId, person, reportEmails } = member;
  const { isBusy, act: save } = useAction({
    send: (chosen: ReportEmail[]) =>
      isMe
        ? api.members.setMyReportEmails({ workspaceId, reportEmails: chosen })
        : api.members.setReportEmails({ workspaceId, memberId, reportEmails: chosen }),
    done: "Saved",
    reload: [query.members.key()],
    onDone: (saved, client) => takeMember(client, workspaceId, saved),
  });
  const [chosen, setChosen] = useState("");
  const label = CHOICES.find(({ reports }) => reports.join() === reportEmails.join())?.label ?? "None";
  return (
    <Row title={person.name} badge={isMe ? <Flag text="You" /> : null} detail={person.email}>
      {mayChange ? (
        <NativeSelect
          aria-label={`Reports to ${person.name}`}
          size="xs"
          data={CHOICES.map((choice) => choice.label)}
          // While it is saving, it shows the new value, and keeps the focus.
          value={isBusy ? chosen : label}
          onChange={({ currentTarget }) => {
            const choice = CHOICES.find((one) => one.label === currentTarget.value);
            if (choice === undefined || isBusy) return;
            setChosen(choice.label);
            void save([...choice.reports]);
          }}
        />
      ) : (
        <Text size="sm">{label}</Text>
      )}
    </Row>
  );
}

/** How many advertisers get which reports. */
export function AdvertisersWithReports({ areSent }: { readonly areSent: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(query.reports.readers.queryOptions({ input: { workspaceId } }));
  if (data === undefined) return null;
  const { week, month, never } = data.advertisers;
  const chosen = `${formatCount(month)} monthly, ${formatCount(week)} weekly, ${formatCount(never)} never`;
  return (
    <Dimmed>
      {areSent ? `Advertisers: ${chosen}.` : `Advertisers get none now. They chose: ${chosen}.`}
    </Dimmed>
  );
}
