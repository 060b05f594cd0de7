import { commandsOf, json, noSettings } from "../command.ts";

export const doctorCommands = commandsOf(noSettings, [
  {
    usage: "doctor",
    flags: {
      "feed-hours HOURS": "hours since a feed's last check that fail (default: 24)",
      "backup-hours HOURS": "age of the newest backup that fails (default: 26)",
      "free-bytes N": "free bytes below which it fails (default: 256000000)",
      strict: "exit with 87 after warnings",
      json,
    },
    settings: [
      "db",
      "backups",
      "mirrorConfig",
      "privateDb",
      "privateDbFile",
      "follow",
      "trust",
      "followStaleHours",
      "releaseTo",
      "releaseKey",
      "releaseOwnNodes",
    ],
    description: "check file and surroundings; exits with 88 after failures",
    example: "doctor --backups /var/backups/itemtape",
    run: async (call) => (await import("./doctor.ts")).doctor(call),
  },
]);
