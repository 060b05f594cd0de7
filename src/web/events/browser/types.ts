import type { Row } from "../../../client/types.ts";

export type DataEvent = Row<"listDataEvents">;
