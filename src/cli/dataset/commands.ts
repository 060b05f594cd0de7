import { commandsOf, fileSettings, json, noSettings } from "../command.ts";

export const datasetCommands = [
  ...commandsOf(fileSettings, [
    {
      usage: "dataset build",
      flags: {
        "to DIR": "folder of the dataset; only changed files are written",
        "since DATE": "first UTC day to build, YYYY-MM-DD; earlier files stay",
        "include-unknown": "include providers with unknown terms",
        json,
      },
      description: "write the market as Parquet files for any static host",
      example: "dataset build --to /srv/dataset",
      run: async (call) => (await import("./build.ts")).build(call),
    },
  ]),
  ...commandsOf(noSettings, [
    {
      usage: "dataset verify PLACE",
      flags: { "trust ROOT": "trusted root of the releases around the dataset: its index must be signed", json },
      description: "compare a dataset's files, in a folder or at an address, with its index",
      example: "dataset verify https://prices.example/dataset/",
      run: async (call) => (await import("./verify.ts")).verify(call),
    },
  ]),
];
