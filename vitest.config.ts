import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{libs,services,infra,loadtest}/**/*.test.ts"],
    globalSetup: ["libs/database/testing-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
