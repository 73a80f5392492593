-- The directory: plans, lines, accounts. Balance and status of an account are a mirror of what its object says
-- (mirror_version tells which state of it); nothing is ever decided on them.

CREATE TABLE plan (
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  tariff_slug TEXT NOT NULL,
  tariff_title TEXT NOT NULL,
  price INTEGER NOT NULL,
  refunds TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  CONSTRAINT plan_pk PRIMARY KEY (slug),
  CONSTRAINT plan_price_is_not_negative CHECK (price >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO plan VALUES ('default', 'Default', 'default', 'Default', 1000, '', 0);

-- Coefficients are ten-thousandths: 10000 is 1.
CREATE TABLE line (
  number TEXT NOT NULL,
  carrier TEXT NOT NULL,
  webservice INTEGER NOT NULL,
  pattern INTEGER NOT NULL,
  shared INTEGER NOT NULL,
  active INTEGER NOT NULL,
  persian_c INTEGER NOT NULL,
  english_c INTEGER NOT NULL,
  mci_c INTEGER NOT NULL,
  mtn_c INTEGER NOT NULL,
  webservice_c INTEGER NOT NULL,
  pattern_c INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  CONSTRAINT line_pk PRIMARY KEY (number)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  id TEXT NOT NULL,
  username TEXT NOT NULL,
  full_name TEXT NOT NULL,
  plan TEXT NOT NULL,
  default_line TEXT,
  created_ms INTEGER NOT NULL,
  active INTEGER NOT NULL,
  sending_enabled INTEGER NOT NULL,
  available INTEGER NOT NULL,
  locked INTEGER NOT NULL,
  mirror_version INTEGER NOT NULL,
  CONSTRAINT account_pk PRIMARY KEY (id),
  CONSTRAINT account_username_is_unique UNIQUE (username),
  CONSTRAINT account_plan_exists FOREIGN KEY (plan) REFERENCES plan (slug),
  CONSTRAINT account_default_line_exists FOREIGN KEY (default_line) REFERENCES line (number)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_default_line ON account (default_line) WHERE default_line IS NOT NULL;

-- Which accounts a line that is not shared belongs to.
CREATE TABLE line_account (
  line TEXT NOT NULL,
  account TEXT NOT NULL,
  CONSTRAINT line_account_pk PRIMARY KEY (line, account),
  CONSTRAINT line_account_line_exists FOREIGN KEY (line) REFERENCES line (number) ON DELETE CASCADE,
  CONSTRAINT line_account_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX line_account_account ON line_account (account);

-- One row: what the operators have switched for all.
CREATE TABLE switch (
  one INTEGER NOT NULL,
  sending_enabled INTEGER NOT NULL,
  CONSTRAINT switch_pk PRIMARY KEY (one),
  CONSTRAINT switch_is_one CHECK (one = 1)
) STRICT, WITHOUT ROWID;

INSERT INTO switch VALUES (1, 1);
