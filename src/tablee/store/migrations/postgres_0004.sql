-- A program of before migration 3 says no deadlines, and may still write while processes are replaced one after the other. A table that it writes
-- is due at once: a newer house looks at it, and says when it is due.
CREATE FUNCTION due_unsaid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tables SET due = 0 WHERE id = NEW.table_id AND due IS DISTINCT FROM 0;
    RETURN NULL;
END $$;
CREATE TRIGGER events_due AFTER INSERT ON events FOR EACH ROW
WHEN (current_setting('tablee.due', true) IS DISTINCT FROM 'said') EXECUTE FUNCTION due_unsaid();
