import { unprivilegedAccount } from "#libs/database/embedded/account.ts";
import { findBinaries } from "#libs/database/embedded/binaries.ts";

// Where closed to the account they are copied, once for all that run natively.
const account = await unprivilegedAccount("/nonexistent");
const { postgres, initdb } = await findBinaries("native engines", account);
process.stdout.write([postgres, initdb, account?.uid ?? "", account?.gid ?? ""].join("\n"));
