import { exchangeOf } from "../api/exchange.ts";
import { sendProblem } from "../api/problem.ts";
import type { Middleware } from "../api/server.ts";
import type { Events } from "../log/events.ts";
import { Failure } from "../values/failure/failure.ts";

export type Pages = { middleware: Middleware; close(): Promise<void> };

/**
 * Returns pages that `make` creates at the first request, because loading express would slow down each start. If `make` fails, the request
 * gets a 503 and the next request tries again.
 */
export function lazyPages(events: Events, make: () => Promise<Pages>): Pages {
  let made: Pages | null = null;
  let making: Promise<Pages> | null = null;
  const makeOnce = async () => {
    making ??= make();
    try {
      made = await making;
      return made;
    } catch (error) {
      making = null;
      throw error;
    }
  };
  return {
    middleware(req, res, next) {
      if (made !== null) {
        made.middleware(req, res, next);
        return;
      }
      makeOnce()
        .then(({ middleware }) => middleware(req, res, next))
        .catch((error: unknown) => {
          const exchange = exchangeOf(res);
          events.internalError({ request_id: exchange.requestId, operation: null }, error);
          sendProblem(exchange, new Failure("service_unavailable"));
        });
    },
    async close() {
      // Pages that are being created may already have started threads, which must end.
      await making?.then(
        (pages) => pages.close(),
        () => undefined,
      );
    },
  };
}
