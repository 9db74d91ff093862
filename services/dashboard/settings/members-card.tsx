import { Button, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Member } from "#libs/contract/members.ts";
import { MEMBER_ROLES } from "#libs/domain/member.ts";
import { membersQuery } from "../api/queries.ts";
import { usePerson } from "../api/session.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Flag } from "../components/badges.tsx";
import { formatDate } from "../components/format.ts";
import { Row, Rows } from "../components/lists.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useChangeMember } from "./use-change-member.ts";

/** The members of the workspace and their roles. */
export function MembersCard() {
  const { id: workspaceId } = useWorkspace();
  const isOwner = useMay("Owner");
  const person = usePerson();
  const members = useQuery(membersQuery(workspaceId));
  return (
    <Section
      isSplit
      title="Members"
      text="Viewers can see everything. Managers can also review ads and edit tiers and fields. Owners can also manage the workspace and its members."
    >
      <QueryView query={members}>
        {(found) => {
          const owners = found.filter(({ role }) => role === "Owner").length;
          return (
            <Rows label="Members">
              {found.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  isMe={member.person.id === person.id}
                  isLastOwner={member.role === "Owner" && owners === 1}
                  mayChange={isOwner}
                />
              ))}
            </Rows>
          );
        }}
      </QueryView>
    </Section>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly isMe: boolean;
  /** The last owner cannot leave or get a lower role. */
  readonly isLastOwner: boolean;
  readonly mayChange: boolean;
}

function MemberRow({ member, isMe, isLastOwner, mayChange }: MemberRowProps) {
  const { person, role, createdAt } = member;
  const { changeRole, remove, leave, isBusy } = useChangeMember(member);
  return (
    <Row
      title={person.name}
      badge={isMe ? <Flag text="You" /> : null}
      detail={`${person.email} · since ${formatDate(createdAt)}`}
    >
      {mayChange && !isLastOwner ? (
        <NativeSelect
          aria-label={`Role of ${person.name}`}
          size="xs"
          data={[...MEMBER_ROLES]}
          value={role}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const chosen = oneOf(MEMBER_ROLES, currentTarget.value);
            if (chosen !== null && chosen !== role) void changeRole({ role: chosen, isMe });
          }}
        />
      ) : (
        <Text size="sm">{role}</Text>
      )}
      {isMe && !isLastOwner ? (
        <Button variant="default" size="xs" disabled={isBusy} onClick={() => void leave()}>
          Leave
        </Button>
      ) : null}
      {!isMe && mayChange && !isLastOwner ? (
        <Button
          variant="default"
          size="xs"
          disabled={isBusy}
          aria-label={`Remove ${person.name}`}
          onClick={() => void remove()}
        >
          Remove
        </Button>
      ) : null}
    </Row>
  );
}
