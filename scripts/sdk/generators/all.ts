import type { Generator } from "../generator.ts";
import { heyApi } from "./hey-api.ts";
import { oazapfts } from "./oazapfts.ts";
import { openapiFetch } from "./openapi-fetch.ts";
import { orval } from "./orval.ts";
import { swaggerTypescriptApi } from "./swagger-typescript-api.ts";
import { typedOpenapi } from "./typed-openapi.ts";

export const generators: readonly Generator[] = [
  openapiFetch,
  heyApi,
  orval,
  swaggerTypescriptApi,
  oazapfts,
  typedOpenapi,
];
