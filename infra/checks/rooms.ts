/**
 * The rooms of the repository, and who may import whom. For each folder its rooms stand from top to bottom: a file
 * imports only from its own room and from rooms on lines below. Rooms on one line do not import each other. A dot
 * is the files directly in the folder; a star is every room that no other line names, each for itself.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "": ["loadtest", "infra", "services", "libs", "."],
  loadtest: [
    ".",
    "scenarios",
    "bench",
    "report",
    "baselines",
    "clients",
    "engines",
    "processes",
    "measure",
    "seeds",
  ],
  services: ["standalone", "verification", "dashboard ingestion management serving"],
  libs: [
    "client embed testing",
    "engines",
    "judge limits payments placements uploads",
    "database event-log favicon mail payment-sandbox redis stats-store",
    "guarded-fetch html",
    "process",
    "http",
    "config contract",
    "installation off-heap-map",
    "async domain files",
  ],
  "libs/event-log": ["kafka local spill", "."],
  "libs/payment-sandbox": [".", "api pages", "engine"],
  "services/dashboard": [".", "app", "ads onboarding", "*", "components", "api"],
  "services/management": [
    ".",
    "operator",
    "start",
    "worker",
    "pages",
    "privacy selling",
    "ads reports",
    "billing",
    "media",
    "catalogue",
    "accounts",
    "mail",
    "snapshots",
    "queue",
    "audit reference",
    "api",
    "store",
  ],
  "services/serving": [
    ".",
    "start",
    "entrances",
    "rotation record",
    "countries",
    "verdict",
    "directory networks",
    "answers",
  ],
};

/**
 * A lib with an `index.ts` is imported through it. These files beside it may be imported as well: what has to run before
 * anything else is loaded, and what needs nothing that the rest of its lib loads.
 */
export const FACES: readonly string[] = [
  "libs/config/environment.ts",
  "libs/process/ports.ts",
  "libs/process/prepare.ts",
];

/** Files that only their own room may import. */
export const PRIVATE: readonly string[] = ["services/management/start/services.ts"];

/** How many levels of rooms that import each other a folder may have at most. */
export const MOST_LEVELS: Readonly<Record<string, number>> = { "services/management": 10 };

/** No file but a test is longer, in lines, and none but those that a program writes. */
export const LONGEST_FILE = 300;
export const WRITTEN_BY_PROGRAMS: readonly string[] = ["libs/database/tables.ts"];
