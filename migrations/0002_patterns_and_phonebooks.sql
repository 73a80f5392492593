-- Patterns with their versions, and phonebooks with their numbers.

-- lines: a JSON list of line numbers; empty, the pattern may be sent from any line of the account.
-- revision grows with every change that a send has to see; the account's object knows the newest.
CREATE TABLE pattern (
  id INTEGER NOT NULL,
  account TEXT NOT NULL,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  lines TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  CONSTRAINT pattern_pk PRIMARY KEY (id AUTOINCREMENT),
  CONSTRAINT pattern_slug_is_unique UNIQUE (account, slug),
  CONSTRAINT pattern_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX pattern_account ON pattern (account);

-- A version never changes once made, but for its status.
CREATE TABLE pattern_version (
  pattern INTEGER NOT NULL,
  version INTEGER NOT NULL,
  text TEXT NOT NULL,
  variables TEXT NOT NULL,
  status TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  CONSTRAINT pattern_version_pk PRIMARY KEY (pattern, version),
  CONSTRAINT pattern_version_status_is_known CHECK (status IN ('DRAFT', 'PENDING', 'ACTIVE', 'RETIRED')),
  CONSTRAINT pattern_version_pattern_exists FOREIGN KEY (pattern) REFERENCES pattern (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX pattern_version_one_is_active ON pattern_version (pattern) WHERE status = 'ACTIVE';
CREATE INDEX pattern_version_pending ON pattern_version (pattern, version) WHERE status = 'PENDING';

-- count is the number of its rows in phonebook_number, kept in the same transactions: counting them on every look would
-- read all of them.
CREATE TABLE phonebook (
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  account TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  count INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  CONSTRAINT phonebook_pk PRIMARY KEY (seq AUTOINCREMENT),
  CONSTRAINT phonebook_id_is_unique UNIQUE (id),
  CONSTRAINT phonebook_title_is_unique UNIQUE (account, title),
  CONSTRAINT phonebook_count_is_not_negative CHECK (count >= 0),
  CONSTRAINT phonebook_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX phonebook_account ON phonebook (account);

-- attributes: a JSON object of texts, or NULL.
CREATE TABLE phonebook_number (
  id INTEGER NOT NULL,
  phonebook INTEGER NOT NULL,
  msisdn INTEGER NOT NULL,
  name TEXT,
  attributes TEXT,
  created_ms INTEGER NOT NULL,
  CONSTRAINT phonebook_number_pk PRIMARY KEY (id AUTOINCREMENT),
  CONSTRAINT phonebook_number_is_unique UNIQUE (phonebook, msisdn),
  CONSTRAINT phonebook_number_phonebook_exists FOREIGN KEY (phonebook) REFERENCES phonebook (seq) ON DELETE CASCADE
) STRICT;
