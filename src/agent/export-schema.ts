import type { Node } from "./contract-view.ts";

const cents = { type: ["integer", "null"], minimum: 1, description: "USD cents; null where there is none, never 0." };

/** Schema of the answer that stands for the records of an export: facts of the whole, and its first rows. */
export const exportEnvelope: Node = {
  type: "object",
  additionalProperties: false,
  description: "Facts of one verified export of the market.",
  required: ["data", "meta"],
  properties: {
    data: {
      type: "object",
      additionalProperties: false,
      required: [
        "generation",
        "ingested_at",
        "price_as_of",
        "catalog_max_item_id",
        "items",
        "available",
        "missing",
        "asks",
        "bids",
        "digest",
        "digest_bytes",
        "head",
      ],
      properties: {
        generation: { $ref: "#/components/schemas/Generation" },
        ingested_at: { $ref: "#/components/schemas/IngestedAt" },
        price_as_of: { type: "null", description: "Always null: the feed supplies no observation time." },
        catalog_max_item_id: { $ref: "#/components/schemas/ItemId" },
        items: { type: "integer", minimum: 0, description: "Records of the export." },
        available: { type: "integer", minimum: 0, description: "Items with at least one quote." },
        missing: { type: "integer", minimum: 0, description: "Items without any quote, which is no price of zero." },
        asks: { type: "integer", minimum: 0, description: "Sellers' offers in all records." },
        bids: { type: "integer", minimum: 0, description: "Buy orders in all records." },
        digest: {
          type: "string",
          pattern: "^[0-9a-f]{64}$",
          description: "SHA-256 of the price part as it came; `getGeneration` tells the published one.",
        },
        digest_bytes: { type: "integer", minimum: 0, description: "Bytes that the digest covers." },
        head: {
          type: "array",
          maxItems: 25,
          description: "The first items of the export only.",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["item_id", "market_hash_name", "phase", "availability", "lowest_ask_cents", "highest_bid_cents"],
            properties: {
              item_id: { $ref: "#/components/schemas/ItemId" },
              market_hash_name: { $ref: "#/components/schemas/MarketHashName" },
              phase: { anyOf: [{ $ref: "#/components/schemas/PaintPhase" }, { type: "null" }] },
              availability: { $ref: "#/components/schemas/Availability" },
              lowest_ask_cents: cents,
              highest_bid_cents: cents,
            },
          },
        },
      },
    },
    meta: {
      type: "object",
      additionalProperties: false,
      required: ["request_id", "generated_at"],
      properties: {
        request_id: { $ref: "#/components/schemas/RequestId" },
        generated_at: { $ref: "#/components/schemas/GeneratedAt" },
      },
    },
  },
};
