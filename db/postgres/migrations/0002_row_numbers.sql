-- Rows of these tables are numbered by their sequences; some were given the next free number instead.
SELECT setval(pg_get_serial_sequence('itemtape.activity', 'activity_id'), greatest(1, (SELECT max("activity_id") FROM "itemtape"."activity")));--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('itemtape.purchases', 'purchase_id'), greatest(1, (SELECT max("purchase_id") FROM "itemtape"."purchases")));
