-- The digest of the archive of which all rows are in, in a service that has taken them and is about to go on. NULL: not all are.
ALTER TABLE transfer ADD COLUMN agreed TEXT;
