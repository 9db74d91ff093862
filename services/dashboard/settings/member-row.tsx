import { Badge, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { formatDate } from "../shell/format.ts";
import type { Member } from "./members-query.ts";
import { ROLES, readRole } from "./roles.ts";
import { useChangeMember } from "./use-change-member.ts";

interface MemberRowProps {
  readonly member: Member;
  readonly isMe: boolean;
  /** Who can neither leave nor become less. */
  readonly isLastOwner: boolean;
  /** Whether the person signed in may change others. */
  readonly mayChange: boolean;
}

/** A member with what may be done about the membership. */
export function MemberRow({ member, isMe, isLastOwner, mayChange }: MemberRowProps) {
  const { person, role, createdAt } = member;
  const { changeRole, remove, leave, isChanging } = useChangeMember(member);
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={2} style={{ flex: "1 1 14rem", minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {person.name}
          </Text>
          {isMe ? (
            <Badge variant="default" tt="none" fw={500}>
              You
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {`${person.email} · since ${formatDate(createdAt)}`}
        </Text>
      </Stack>
      <Group gap="xs">
        {mayChange && !isLastOwner ? (
          <NativeSelect
            aria-label={`Role of ${person.name}`}
            size="xs"
            data={ROLES.map(({ value, label }) => ({ value, label }))}
            value={role}
            disabled={isChanging}
            onChange={({ currentTarget }) => {
              const chosen = readRole(currentTarget.value);
              if (chosen !== null && chosen !== role) void changeRole(chosen, isMe);
            }}
          />
        ) : (
          <Text size="sm">{role}</Text>
        )}
        {isMe && !isLastOwner ? (
          <Button variant="default" size="xs" disabled={isChanging} onClick={() => void leave()}>
            Leave
          </Button>
        ) : null}
        {!isMe && mayChange && !isLastOwner ? (
          <Button
            variant="default"
            size="xs"
            disabled={isChanging}
            aria-label={`Remove ${person.name}`}
            onClick={() => void remove()}
          >
            Remove
          </Button>
        ) : null}
      </Group>
    </Group>
  );
}
