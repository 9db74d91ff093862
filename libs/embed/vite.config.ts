import { type BuildEnvironmentOptions, defineConfig } from "vite";

/** One file each, with everything in it that it needs. */
function oneFile(entry: string, fileName: string, format: "iife" | "es"): { build: BuildEnvironmentOptions } {
  return {
    build: {
      lib: { entry, formats: [format], fileName: () => fileName, name: "placardEmbed" },
      outDir: "dist",
      emptyOutDir: false,
      target: "es2022",
      minify: true,
      rolldownOptions: { external: ["react"] },
    },
  };
}

const FILES = {
  script: oneFile("script/main.ts", "embed.js", "iife"),
  module: oneFile("module.ts", "embed.mjs", "es"),
  react: oneFile("react.ts", "embed-react.mjs", "es"),
  demo: oneFile("demo/demo.ts", "demo.js", "iife"),
};

export default defineConfig({
  // Served beside the modules that they describe.
  publicDir: "types",
  environments: Object.fromEntries(
    Object.entries(FILES).map(([name, file]) => [name, { consumer: "client", ...file }]),
  ),
  builder: {
    async buildApp(builder) {
      for (const name of Object.keys(FILES)) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
    },
  },
});
