import { serveThread } from "../../worker/thread.ts";
import { BodyReader } from "./body/body-reader.ts";
import { type MirrorMessage, sendingEvents } from "./mirror-events.ts";
import { type MirrorSetup, systemMirror } from "./mirror-setup.ts";

// The thread of a server's mirror. It replies once, after a request to end.
serveThread<null, MirrorSetup, null, MirrorMessage>((_setup, { closing, emit }) => ({
  async answer(setup) {
    await systemMirror(setup, sendingEvents(emit), closing, new BodyReader()).run();
    return null;
  },
}));
