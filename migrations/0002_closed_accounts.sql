-- When an account was closed; NULL for one that is open. The account's object decides it, and this is a copy.
ALTER TABLE account ADD COLUMN closed_ms INTEGER;
