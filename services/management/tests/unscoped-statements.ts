/** Statements that name no workspace, by how they read, each with the reason why they need none. */
const EXPLAINED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^select .* from api_keys .* where people\.suspended_at is null and api_keys\.hash = \$1$/,
    "the key's hash is what tells the workspace",
  ],
  [
    /^select .* and members\.workspace_id = \$1 .* where people\.suspended_at is null and sessions\.token = \$2$/,
    "a session's membership in the workspace that the join names",
  ],
  [/^delete from invitations where token_hash = \$1 /, "the token is the secret, and tells the workspace"],
  [/^select workspaces\.\*, .* where members\.person_id = \$1 /, "the person's own workspaces are asked for"],
  [/^select count\(\*\) .* from members where person_id = \$1 /, "how many workspaces the person owns"],
  [
    /^select .* from checkout_sessions as session .* where session\.id = \$1$/,
    "the session's id is the secret",
  ],
  [
    /^select .* where provider_(subscription|invoice|charge)_id = \$1( for update( of subscriptions)?|\) as knownVersion| and claimed_until > now\(\))?$/,
    "the processor knows no workspaces, and says which",
  ],
  [
    /^update subscriptions set cleared_at = \$1 where provider_subscription_id = \$2 and status in \(.*\) and cancellation_reason = /,
    "the processor's subscription, which is live there and ended here",
  ],
  [
    /^select subscriptions\.id, subscriptions\.workspace_id, .* where subscriptions\.provider_subscription_id = \$1 and subscriptions\.provider_account is not distinct from \$2( for key share of advertisers)?$/,
    "the processor's account and subscription tell the workspace",
  ],
  [
    /^select \* from (workspaces|members|api_keys|invitations|audit_log|monthly_reports) where .*(person_id|invited_by|actor_id) = \$1.* order by id limit \d+$/,
    "a person's own export, over all their workspaces",
  ],
];

/** Which of the statements touch a tenant's table without saying whose rows they mean, and are not explained. */
export function unscopedStatements(statements: readonly string[], tables: readonly string[]): string[] {
  const touches = new RegExp(`\\b(from|join|update|into) (${tables.join("|")})\\b`);
  return statements.filter(
    (sql) => touches.test(sql) && !isScoped(sql) && !EXPLAINED.some(([pattern]) => pattern.test(sql)),
  );
}

function isScoped(sql: string): boolean {
  if (sql.startsWith("insert into ")) return /^insert into \w+ \([^)]*\bworkspace_id\b/.test(sql);
  const conditions = sql.slice(sql.indexOf(" where "));
  return /\bworkspace_id (=|in\b)/.test(conditions);
}

/** The explanations that nothing needs any more. */
export function idleExplanations(statements: readonly string[]): string[] {
  return EXPLAINED.filter(([pattern]) => !statements.some((sql) => pattern.test(sql))).map(
    ([, reason]) => reason,
  );
}
