import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { query } from "./client.ts";
import { statusOf } from "./problems.ts";
import { sessionQuery } from "./session.ts";

/** Retries after a failure that may be temporary. */
const RETRIES = 2;

/** The cache of all loaded data. Any 401 response ends the session here too. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionIfOver }),
  mutationCache: new MutationCache({ onError: endSessionIfOver, onSuccess: expireAll }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (failures, error) => failures < RETRIES && mayPass(error) },
    // Without a connection a change fails at once: one that waited would look like a made one, and be made after it was given up.
    mutations: { networkMode: "always" },
  },
});

/** After a change no page starts with what was loaded before it. What is in view reloads where the change says so. */
function expireAll(): void {
  void queryClient.invalidateQueries({ queryKey: query.key(), refetchType: "none" });
}

function mayPass(error: Error): boolean {
  const status = statusOf(error);
  return status === null || status >= 500 || status === 429;
}

function endSessionIfOver(error: Error): void {
  if (statusOf(error) === 401 && queryClient.getQueryData(sessionQuery.queryKey)) {
    queryClient.setQueryData(sessionQuery.queryKey, null);
  }
}
