-- Nothing told whether the sources of earlier releases were compared with others. The doubt ends seven days after their first prices,
-- which is in the past for most, or as soon as a publication compares them.
UPDATE `feeds` SET `unconfirmed_until` = 604800000 + coalesce(
	(SELECT min(`hour`) * 3600000 FROM `frames` WHERE `frames`.`feed` = `feeds`.`feed`),
	(SELECT min(`ask_since`) FROM `providers` JOIN `frame_providers` USING (`provider`) JOIN `quotes` ON `provider_id` = `number`
		WHERE `providers`.`feed` = `feeds`.`feed`),
	`ingested_at`)
WHERE `item_count` > 0 AND `unconfirmed_until` IS NULL;
