// Prints infra/compose.yaml as Compose would understand it, for a check against the Compose specification.
import { stringify } from "yaml";
import { EXAMPLE_ENV } from "./example-env.ts";
import { readCompose } from "./interpolated.ts";

process.stdout.write(stringify(readCompose(EXAMPLE_ENV), { aliasDuplicateObjects: false }));
