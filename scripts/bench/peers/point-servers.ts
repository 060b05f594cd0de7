import {
  expressConstant,
  expressOpenapiBackend,
  expressOpenapiValidator,
  fastifyCharged,
  fastifyRead,
} from "./frameworks.ts";
import { fullStack, uncharged } from "./full-stack.ts";
import type { StartServer } from "./listening.ts";
import type { PointServerName } from "./names.ts";
import { rawConstant, rawRead } from "./raw.ts";

export const pointServers: Readonly<Record<PointServerName, StartServer>> = {
  "raw-constant": rawConstant,
  "raw-read": rawRead,
  "express-constant": expressConstant,
  "express-openapi-backend": expressOpenapiBackend,
  "express-openapi-validator": expressOpenapiValidator,
  "fastify-read": fastifyRead,
  "fastify-fsync": fastifyCharged,
  "full-stack": fullStack,
  uncharged,
};
