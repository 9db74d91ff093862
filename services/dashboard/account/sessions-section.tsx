import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { endOtherSessions, endSession, type Session, sessionsQuery } from "../api/sessions.ts";
import { Flag } from "../components/badges.tsx";
import { formatDate, formatWait } from "../components/format.ts";
import { Row, Rows } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useAction } from "../components/use-action.ts";

/** Where the person is signed in, and how they sign out there. */
export function SessionsSection() {
  const sessions = useQuery(sessionsQuery);
  const { isBusy, act: endOthers } = useAction({
    question: () => ({
      title: "Sign out everywhere else?",
      text: "Every other browser has to sign in again. You stay signed in here.",
      action: "Sign out elsewhere",
    }),
    send: endOtherSessions,
    done: "Signed out everywhere else",
    reload: [sessionsQuery.queryKey],
  });
  return (
    <Section isPlain title="Sessions" text="Where you’re signed in.">
      <QueryView query={sessions}>
        {(found) => (
          <>
            <Rows label="Sessions">
              {found.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </Rows>
            {found.length < 2 ? null : (
              <Button variant="default" w="fit-content" loading={isBusy} onClick={() => void endOthers()}>
                Sign out elsewhere
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}

const DAY_MS = 86_400_000;

function SessionRow({ session }: { readonly session: Session }) {
  const { device, createdAt, seenAt, isCurrent } = session;
  const { isBusy, act: end } = useAction({
    send: () => endSession(session),
    done: `Signed out of ${device}`,
    reload: [sessionsQuery.queryKey],
  });
  // Uses are recorded once a day.
  const used =
    Date.now() - Date.parse(seenAt) < DAY_MS
      ? "Used in the last day"
      : `Last used ${formatWait(seenAt, Date.now())} ago`;
  const signedIn = `Signed in ${formatDate(createdAt)}`;
  return (
    <Row
      title={device}
      badge={isCurrent ? <Flag text="This device" /> : null}
      detail={isCurrent ? signedIn : `${used} · ${signedIn}`}
    >
      {isCurrent ? null : (
        <Button
          variant="default"
          size="xs"
          loading={isBusy}
          aria-label={`Sign out of ${device}`}
          onClick={() => void end()}
        >
          Sign out
        </Button>
      )}
    </Row>
  );
}
