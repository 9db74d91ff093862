import {
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import { type Question, useConfirm } from "./confirm.tsx";
import { notifyDone, notifyProblem } from "./notify.ts";

export interface ActionOptions<Input, Result> extends Pick<UseMutationOptions, "scope"> {
  readonly send: (input: Input) => Promise<Result>;
  /** Asked before sending; null for no question. */
  readonly question?: (input: Input) => Question | null;
  /** The success message. */
  readonly done: string | ((result: Result, input: Input) => string);
  /** The queries to reload afterwards; after an error too, since what they show may be the reason for it. */
  readonly reload?: readonly QueryKey[];
  /** Runs after success. The action is busy until then. */
  readonly onDone?: (result: Result, client: QueryClient, input: Input) => unknown;
  /** Shows an error; a notification unless given. */
  readonly onProblem?: (error: unknown, input: Input) => void;
}

interface Action<Input> {
  readonly isBusy: boolean;
  /** Asks and sends, unless it is being sent already: the second click of two does nothing. Resolves to whether it succeeded; never rejects. */
  readonly act: (input: Input) => Promise<boolean>;
}

/** Something a person does by a button or form: ask, send, say so, reload. */
export function useAction<Result, Input = void>(options: ActionOptions<Input, Result>): Action<Input> {
  const { send, question, done, reload = [], onDone, onProblem = notifyProblem, ...rest } = options;
  const client = useQueryClient();
  const confirm = useConfirm();
  const reloadAll = () => {
    for (const queryKey of reload) void client.invalidateQueries({ queryKey });
  };
  const { isPending, mutateAsync } = useMutation({
    ...rest,
    mutationFn: send,
    onSuccess: async (result, input) => {
      notifyDone(typeof done === "string" ? done : done(result, input));
      reloadAll();
      await onDone?.(result, client, input);
    },
    onError: (error, input) => {
      reloadAll();
      onProblem(error, input);
    },
  });
  const isSending = useRef(false);
  const act = async (input: Input) => {
    const asked = question?.(input) ?? null;
    if (asked !== null && !(await confirm(asked))) return false;
    // `isPending` is true only with the next render.
    if (isSending.current) return false;
    isSending.current = true;
    try {
      await mutateAsync(input);
      return true;
    } catch {
      return false;
    } finally {
      isSending.current = false;
    }
  };
  return { isBusy: isPending, act };
}
