import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { runProgram } from "../../management/tests/operator-commands.ts";
import { startInstallation } from "./installation.ts";

/** On the machine where the product runs. */
function runWebhooks(dataDir: string, ...given: string[]) {
  return runProgram("webhooks", { DATA_DIR: dataDir }, ...given);
}

it("lets operators look into the inbox of a running product by its data folder alone", async () => {
  const dataDir = await aFolder();
  const installation = await startInstallation({ dataDir });

  const listed = await runWebhooks(dataDir, "list");
  const compared = await runWebhooks(dataDir, "reconcile");
  await installation.stop();
  const afterwards = await runWebhooks(dataDir, "list");

  expect(listed).toEqual({
    failed: false,
    exitCode: 0,
    stdout: "Every webhook has been applied.\n",
    stderr: "",
  });
  expect(compared).toMatchObject({ failed: false, stderr: "" });
  expect(compared.stdout).toBe(
    "compared 0 subscriptions and 0 open checkouts in 1 accounts\nnothing had drifted\n",
  );
  expect(afterwards).toMatchObject({ failed: true, stdout: "" });
  expect(afterwards.stderr).toContain(`The product is not running in the folder ${dataDir}: start it first`);
});
