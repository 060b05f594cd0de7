import { restoreManifest } from "./package-manifest.mjs";

// npm calls it after it packed.
restoreManifest();
