import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "./session.ts";

/** What is for people alone. A session that ends while a page is open leads to the sign-in, and from there back. */
export function SignedIn() {
  const { data: person } = useQuery(sessionQuery);
  const isOver = person === null;
  const router = useRouter();
  useEffect(() => {
    if (!isOver) return;
    const { href: from } = router.state.location;
    void router.navigate({ to: "/sign-in", search: { from, notice: "ended" } });
  }, [isOver, router]);
  return isOver ? null : <Outlet />;
}
