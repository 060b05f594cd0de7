import { commandsOf, json, noSettings } from "../command.ts";

/** The command `doctor`. */
export const doctorCommands = commandsOf(noSettings, [
  {
    usage: "doctor",
    flags: {
      "feed-hours HOURS": "age of a feed's last check at which it fails (default 24)",
      "backup-hours HOURS": "age of the newest backup at which it fails (default 26)",
      "free-bytes N": "free space below which it fails (default 256000000)",
      strict: "end with 87 if there are warnings",
      json,
    },
    settings: ["db", "backups", "mirrorConfig", "privateDb", "privateDbFile", "follow", "trust", "followStaleHours"],
    description: "check the file and what it depends on; changes nothing",
    examples: [
      ["doctor --backups /var/backups/itemtape", "check the file and its backups; ends with 88 if something failed"],
    ],
    run: async (call) => (await import("./doctor.ts")).doctor(call),
  },
]);
