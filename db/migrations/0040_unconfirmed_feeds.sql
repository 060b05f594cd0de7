ALTER TABLE `feeds` ADD `unconfirmed_until` integer;
