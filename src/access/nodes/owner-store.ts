import { OwnerWork } from "../../store/postgres/account-work.ts";
import type { OwnerStore } from "../owners/owner-store.ts";
import { refusalOfStore } from "./owner-refusals.ts";

/** Opens the store of owners in the PostgreSQL database at `url`. It uses the database's clock, not the node's. */
export function openOwnerStore(url: string): OwnerStore {
  const work = new OwnerWork(url);
  return {
    async run(_at, selector, step) {
      return work.run(selector, step).catch((error) => {
        throw refusalOfStore(error);
      });
    },
    close: () => work.close(),
  };
}
