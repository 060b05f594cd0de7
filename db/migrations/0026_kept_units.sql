-- Written by hand: no charged unit vanishes, as in PostgreSQL.
CREATE TRIGGER usage_events_never_vanish BEFORE DELETE ON usage_events
BEGIN SELECT RAISE(ABORT, 'a charged unit is never removed'); END;
