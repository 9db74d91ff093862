import { useQuery } from "@tanstack/react-query";
import { Section } from "../editing/section.tsx";
import { usePerson } from "../shell/session.ts";
import { QueryView } from "../shell/states.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { MemberRow } from "./member-row.tsx";
import { membersQuery } from "./members-query.ts";
import { Rows } from "./rows.tsx";

/** Who works in the workspace, and as what. */
export function MembersCard() {
  const { id: workspaceId } = useWorkspace();
  const isOwner = useMay("Owner");
  const person = usePerson();
  const members = useQuery(membersQuery(workspaceId));
  return (
    <Section
      title="Members"
      text="A Viewer reads, a Manager also reviews ads and changes tiers and fields, an Owner also runs the workspace and its members."
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
