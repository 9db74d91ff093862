import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Member } from "#libs/contract/members.ts";
import type { ReportEmail } from "#libs/domain/report-emails.ts";
import { api, query } from "../api/client.ts";
import { membersQuery } from "../api/queries.ts";
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
      text="What all ads brought, compared with the days before: on Mondays about the week, on the first about the month."
    >
      <QueryView query={members}>
        {(found) => (
          <Rows label="Reports to members">
            {found.map((member) => {
              const isMe = member.person.id === person.id;
              return (
                <MemberReports key={member.id} member={member} isMe={isMe} mayChange={isMe || mayChangeAll} />
              );
            })}
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
    onDone: (_member, client) => client.invalidateQueries({ queryKey: query.members.key() }),
  });
  const label = CHOICES.find(({ reports }) => reports.join() === reportEmails.join())?.label ?? "None";
  return (
    <Row title={person.name} badge={isMe ? <Flag text="You" /> : null} detail={person.email}>
      {mayChange ? (
        <NativeSelect
          aria-label={`Reports to ${person.name}`}
          size="xs"
          data={CHOICES.map((choice) => choice.label)}
          value={label}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const chosen = CHOICES.find((choice) => choice.label === currentTarget.value);
            if (chosen !== undefined) void save([...chosen.reports]);
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
