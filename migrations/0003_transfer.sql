-- One row while the service moves: its data go to another service or, with incoming = 1, it takes those of another one. since_ms is
-- when that began.
CREATE TABLE transfer (
  one INTEGER NOT NULL,
  incoming INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  CONSTRAINT transfer_pk PRIMARY KEY (one),
  CONSTRAINT transfer_is_one CHECK (one = 1)
) STRICT, WITHOUT ROWID;
