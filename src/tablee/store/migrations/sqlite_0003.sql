-- When the house must look at a table by itself, in milliseconds: when the first clock that runs there is out. NULL: nobody has said.
ALTER TABLE tables ADD COLUMN due INTEGER;
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL AND finished = 0;
