-- The directory: plans, carriers, lines, accounts, patterns, phonebooks. The balance and the status of an account are a
-- mirror of the account's object. mirror_version is the version of the object's state that the mirror shows. No
-- decision is made from the mirror. phonebook_bytes of an account is no mirror: it is the sum of the bytes of its numbers
-- in phonebook_number, and the transactions that change those numbers keep it up to date. pattern_bytes is the same of its
-- patterns and their versions, and triggers keep it.

-- prices is a JSON list: the prices to other numbers than those of the home country, by prefix.
CREATE TABLE plan (
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  tariff_slug TEXT NOT NULL,
  tariff_title TEXT NOT NULL,
  price INTEGER NOT NULL,
  refunds TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  prices TEXT NOT NULL DEFAULT '[]',
  CONSTRAINT plan_pk PRIMARY KEY (slug),
  CONSTRAINT plan_price_is_not_negative CHECK (price >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO plan VALUES ('default', 'Default', 'default', 'Default', 1000, '', 0, '[]');

-- settings is a JSON object. The kind of the carrier defines its members. secrets is sealed. version counts the changes. callbacks is
-- a JSON list: the versions of the addresses that its gateway calls.
CREATE TABLE carrier (
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  settings TEXT NOT NULL,
  secrets TEXT,
  active INTEGER NOT NULL DEFAULT 1,
  paused INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  callbacks TEXT NOT NULL DEFAULT '[]',
  created_ms INTEGER NOT NULL,
  CONSTRAINT carrier_pk PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

INSERT INTO carrier (name, kind, settings, created_ms) VALUES ('sandbox', 'sandbox', '{}', 0);

-- routes is a JSON list: the carriers by prefix. Coefficients are in ten-thousandths: 10000 is 1. opt_out_reply and
-- opt_in_reply are the texts that confirm opt-outs and returns. cheapest: sends may ask for the cheapest forms of their texts.
-- suffix is appended to texts that go to many. hours is JSON, as src/base/window.rs writes it: when such texts may leave.
CREATE TABLE line (
  number TEXT NOT NULL,
  routes TEXT NOT NULL,
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
  paused INTEGER NOT NULL DEFAULT 0,
  opt_out_reply TEXT,
  opt_in_reply TEXT,
  cheapest INTEGER NOT NULL DEFAULT 1,
  suffix TEXT,
  hours TEXT,
  created_ms INTEGER NOT NULL,
  CONSTRAINT line_pk PRIMARY KEY (number)
) STRICT, WITHOUT ROWID;

-- The carriers that a line's routes name. A carrier that a line names can't be deleted. The triggers keep the table.
CREATE TABLE line_carrier (
  carrier TEXT NOT NULL,
  line TEXT NOT NULL,
  CONSTRAINT line_carrier_pk PRIMARY KEY (carrier, line),
  CONSTRAINT line_carrier_carrier_exists FOREIGN KEY (carrier) REFERENCES carrier (name),
  CONSTRAINT line_carrier_line_exists FOREIGN KEY (line) REFERENCES line (number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX line_carrier_line ON line_carrier (line);

CREATE TRIGGER line_added AFTER INSERT ON line BEGIN
  INSERT INTO line_carrier (carrier, line)
  SELECT DISTINCT share.value ->> 'name', NEW.number
  FROM json_each(NEW.routes) route
  JOIN json_each(json_array(route.value -> 'carriers', route.value -> 'backup')) tier
  JOIN json_each(tier.value) share;
END;

CREATE TRIGGER line_routes_changed AFTER UPDATE OF routes ON line WHEN OLD.routes <> NEW.routes BEGIN
  DELETE FROM line_carrier WHERE line = NEW.number;
  INSERT INTO line_carrier (carrier, line)
  SELECT DISTINCT share.value ->> 'name', NEW.number
  FROM json_each(NEW.routes) route
  JOIN json_each(json_array(route.value -> 'carriers', route.value -> 'backup')) tier
  JOIN json_each(tier.value) share;
END;

-- destinations is a JSON list of prefixes; NULL stands for the setting DESTINATIONS.
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
  phonebook_bytes INTEGER NOT NULL DEFAULT 0,
  pattern_bytes INTEGER NOT NULL DEFAULT 0,
  destinations TEXT,
  CONSTRAINT account_pk PRIMARY KEY (id),
  CONSTRAINT account_username_is_unique UNIQUE (username),
  CONSTRAINT account_phonebook_bytes_is_not_negative CHECK (phonebook_bytes >= 0),
  CONSTRAINT account_pattern_bytes_is_not_negative CHECK (pattern_bytes >= 0),
  CONSTRAINT account_plan_exists FOREIGN KEY (plan) REFERENCES plan (slug),
  CONSTRAINT account_default_line_exists FOREIGN KEY (default_line) REFERENCES line (number)
) STRICT, WITHOUT ROWID;

-- Which accounts have a phone as a member: whom the console lets in by a code. `operator` stands for the operators, who have no
-- account. The accounts' objects decide who is one.
CREATE TABLE member (
  phone INTEGER NOT NULL,
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  CONSTRAINT member_pk PRIMARY KEY (phone, account)
) STRICT, WITHOUT ROWID;

-- For the search by the beginning of a name, in upper or lower case.
CREATE INDEX account_searched_username ON account (username COLLATE NOCASE);
CREATE INDEX account_searched_name ON account (full_name COLLATE NOCASE);
CREATE INDEX account_default_line ON account (default_line) WHERE default_line IS NOT NULL;

-- One row: the bytes that the phonebooks and the patterns of all accounts take. The trigger keeps it.
CREATE TABLE room (
  one INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  CONSTRAINT room_pk PRIMARY KEY (one),
  CONSTRAINT room_is_one CHECK (one = 1),
  CONSTRAINT room_bytes_is_not_negative CHECK (bytes >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO room VALUES (1, 0);

CREATE TRIGGER account_takes_room AFTER UPDATE OF phonebook_bytes, pattern_bytes ON account BEGIN
  UPDATE room SET bytes = bytes + NEW.phonebook_bytes - OLD.phonebook_bytes + NEW.pattern_bytes - OLD.pattern_bytes
  WHERE one = 1;
END;

-- The accounts that may use a line that is not shared.
CREATE TABLE line_account (
  line TEXT NOT NULL,
  account TEXT NOT NULL,
  CONSTRAINT line_account_pk PRIMARY KEY (line, account),
  CONSTRAINT line_account_line_exists FOREIGN KEY (line) REFERENCES line (number) ON DELETE CASCADE
    DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT line_account_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX line_account_account ON line_account (account);

-- A line is found by its digits behind plus and zeros, because carriers write its number with many prefixes.
CREATE INDEX line_digits ON line (ltrim(number, '+0'));
CREATE INDEX line_searched ON line (ltrim(number, '+0') COLLATE NOCASE);

-- The account that gets what phones send to a line and no keyword takes.
CREATE TABLE line_inbound (
  line TEXT NOT NULL,
  account TEXT NOT NULL,
  CONSTRAINT line_inbound_pk PRIMARY KEY (line),
  CONSTRAINT line_inbound_line_exists FOREIGN KEY (line) REFERENCES line (number) ON DELETE CASCADE,
  CONSTRAINT line_inbound_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX line_inbound_account ON line_inbound (account);

-- The accounts that get what phones send to a line, by the first word of the text. keyword has the form in which words are
-- compared.
CREATE TABLE line_keyword (
  line TEXT NOT NULL,
  keyword TEXT NOT NULL,
  account TEXT NOT NULL,
  CONSTRAINT line_keyword_pk PRIMARY KEY (line, keyword),
  CONSTRAINT line_keyword_line_exists FOREIGN KEY (line) REFERENCES line (number) ON DELETE CASCADE,
  CONSTRAINT line_keyword_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX line_keyword_account ON line_keyword (account);

-- Messages from phones that belong to no account, counted by day. day is counted from 1970-01-01, UTC. line is empty if the
-- directory has no such line.
CREATE TABLE unclaimed (
  id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  carrier TEXT NOT NULL,
  line TEXT NOT NULL,
  reason TEXT NOT NULL,
  messages INTEGER NOT NULL,
  CONSTRAINT unclaimed_pk PRIMARY KEY (id AUTOINCREMENT),
  CONSTRAINT unclaimed_is_unique UNIQUE (day, carrier, line, reason)
) STRICT;

-- One row: the operators' switches for all accounts. reason is why sending is as it is, changed_by the id of the key that has
-- switched it.
CREATE TABLE switch (
  one INTEGER NOT NULL,
  sending_enabled INTEGER NOT NULL,
  reason TEXT,
  changed_by TEXT,
  changed_ms INTEGER,
  CONSTRAINT switch_pk PRIMARY KEY (one),
  CONSTRAINT switch_is_one CHECK (one = 1)
) STRICT, WITHOUT ROWID;

INSERT INTO switch (one, sending_enabled) VALUES (1, 1);

-- lines is a JSON list of line numbers. If it is empty, the pattern may be sent from any line of the account.
-- revision grows with every change that affects a send. The account's object knows the newest revision.
-- bytes is what the pattern takes of its account's quota beside its versions: 200 and the octets of what the account gives.
CREATE TABLE pattern (
  id INTEGER NOT NULL,
  account TEXT NOT NULL,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  lines TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS
    (200 + length(CAST(slug AS BLOB)) + length(CAST(title AS BLOB)) + length(CAST(lines AS BLOB))) VIRTUAL,
  CONSTRAINT pattern_pk PRIMARY KEY (id AUTOINCREMENT),
  CONSTRAINT pattern_slug_is_unique UNIQUE (account, slug),
  CONSTRAINT pattern_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX pattern_account ON pattern (account);

-- After a version is made, only its status changes. It goes with its pattern. bytes is what it takes of its account's quota.
CREATE TABLE pattern_version (
  pattern INTEGER NOT NULL,
  version INTEGER NOT NULL,
  text TEXT NOT NULL,
  variables TEXT NOT NULL,
  status TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  reason TEXT,
  bytes INTEGER GENERATED ALWAYS AS (100 + length(CAST(text AS BLOB)) + length(CAST(variables AS BLOB))) VIRTUAL,
  CONSTRAINT pattern_version_pk PRIMARY KEY (pattern, version),
  CONSTRAINT pattern_version_status_is_known CHECK (status IN ('DRAFT', 'PENDING', 'ACTIVE', 'RETIRED', 'REFUSED')),
  CONSTRAINT pattern_version_is_refused_for_a_reason CHECK ((status = 'REFUSED') = (reason IS NOT NULL)),
  CONSTRAINT pattern_version_pattern_exists FOREIGN KEY (pattern) REFERENCES pattern (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pattern_added AFTER INSERT ON pattern BEGIN
  UPDATE account SET pattern_bytes = pattern_bytes + NEW.bytes WHERE id = NEW.account;
END;

CREATE TRIGGER pattern_changed AFTER UPDATE OF title, lines ON pattern WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE account SET pattern_bytes = pattern_bytes + NEW.bytes - OLD.bytes WHERE id = NEW.account;
END;

CREATE TRIGGER pattern_removed BEFORE DELETE ON pattern BEGIN
  UPDATE account SET pattern_bytes = pattern_bytes - OLD.bytes
    - (SELECT coalesce(sum(bytes), 0) FROM pattern_version WHERE pattern = OLD.id)
  WHERE id = OLD.account;
END;

CREATE TRIGGER pattern_version_added AFTER INSERT ON pattern_version BEGIN
  UPDATE account SET pattern_bytes = pattern_bytes + NEW.bytes
  WHERE id = (SELECT account FROM pattern WHERE id = NEW.pattern);
END;

CREATE UNIQUE INDEX pattern_version_one_is_active ON pattern_version (pattern) WHERE status = 'ACTIVE';
CREATE INDEX pattern_version_pending ON pattern_version (pattern, version) WHERE status = 'PENDING';

-- count is the number of the phonebook's rows in phonebook_number. The transactions that change those rows keep it up
-- to date, because counting would read all of them.
-- columns is a JSON list of the names of the numbers' attributes. A new name goes to the end, and no name ever leaves its
-- place. So a place that was read stays right, whatever other transactions do.
-- deleted is 1 from the moment that the owner deletes the phonebook. The row stays until the last of its numbers is gone.
CREATE TABLE phonebook (
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  account TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  columns TEXT NOT NULL,
  count INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  CONSTRAINT phonebook_pk PRIMARY KEY (seq AUTOINCREMENT),
  CONSTRAINT phonebook_id_is_unique UNIQUE (id),
  CONSTRAINT phonebook_count_is_not_negative CHECK (count >= 0),
  CONSTRAINT phonebook_account_exists FOREIGN KEY (account) REFERENCES account (id)
) STRICT;

CREATE INDEX phonebook_account ON phonebook (account);
CREATE UNIQUE INDEX phonebook_title_is_unique ON phonebook (account, title) WHERE deleted = 0;

-- search_name is the form in which name is searched, as much of it as a search can name. It goes with name and takes no room of the
-- account.
-- attributes is a JSON list of texts by the phonebook's columns. An attribute that the number lacks is null, the list has no
-- null at its end, and no list is empty.
-- bytes is what the number takes of its account's quota: the octets of name and attributes, and 100 for all else.
CREATE TABLE phonebook_number (
  id INTEGER NOT NULL,
  phonebook INTEGER NOT NULL,
  msisdn INTEGER NOT NULL,
  name TEXT,
  search_name TEXT,
  attributes TEXT,
  created_ms INTEGER NOT NULL,
  bytes INTEGER GENERATED ALWAYS AS
    (100 + coalesce(length(CAST(name AS BLOB)), 0) + coalesce(length(CAST(attributes AS BLOB)), 0)) VIRTUAL,
  CONSTRAINT phonebook_number_pk PRIMARY KEY (id AUTOINCREMENT),
  CONSTRAINT phonebook_number_is_unique UNIQUE (phonebook, msisdn),
  CONSTRAINT phonebook_number_names_go_together CHECK ((search_name IS NULL) = (name IS NULL)),
  CONSTRAINT phonebook_number_phonebook_exists FOREIGN KEY (phonebook) REFERENCES phonebook (seq)
) STRICT;

-- For the search by the beginning of a name.
CREATE INDEX phonebook_number_name ON phonebook_number (phonebook, search_name, msisdn) WHERE search_name IS NOT NULL;

-- What the current transaction does to the numbers of a phonebook. The first statement of such a transaction decides and
-- notes it here, the others look here, and the last one takes the row away. So outside of a transaction there is no row.
CREATE TABLE phonebook_change (
  one INTEGER NOT NULL,
  phonebook INTEGER NOT NULL,
  account TEXT NOT NULL,
  added INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  used INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  CONSTRAINT phonebook_change_pk PRIMARY KEY (one),
  CONSTRAINT phonebook_change_is_one CHECK (one = 1)
) STRICT;

-- The mirror of the accounts' usage by day. day is counted from 1970-01-01, UTC. version is the version of the row that the
-- mirror shows.
CREATE TABLE usage (
  account TEXT NOT NULL,
  day INTEGER NOT NULL,
  line TEXT NOT NULL,
  carrier TEXT NOT NULL,
  test INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  recipients INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  returned INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  undelivered INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  canceled INTEGER NOT NULL,
  version INTEGER NOT NULL,
  CONSTRAINT usage_pk PRIMARY KEY (account, day, line, carrier, test)
) STRICT, WITHOUT ROWID;

-- For the sums over all accounts, and over all accounts of one carrier. It is written once a day for each row, because no other
-- column of it changes.
CREATE INDEX usage_day ON usage (day, carrier);

-- The mirror of what waits in the accounts' objects: recipients that could have left ten seconds ago, by the carrier that their
-- route has first. An account has rows only while something of it waits. told_ms is when it told.
CREATE TABLE waiting (
  account TEXT NOT NULL,
  carrier TEXT NOT NULL,
  line TEXT NOT NULL,
  recipients INTEGER NOT NULL,
  oldest_ms INTEGER NOT NULL,
  codes_oldest_ms INTEGER,
  told_ms INTEGER NOT NULL,
  CONSTRAINT waiting_pk PRIMARY KEY (account, carrier, line)
) STRICT, WITHOUT ROWID;

-- What each account has told last, so that a late write replaces nothing newer.
CREATE TABLE waiting_version (
  account TEXT NOT NULL,
  version_ms INTEGER NOT NULL,
  CONSTRAINT waiting_version_pk PRIMARY KEY (account)
) STRICT, WITHOUT ROWID;

-- What the last nightly check of each account has found, a JSON object.
CREATE TABLE reconciliation (
  account TEXT NOT NULL,
  checked_ms INTEGER NOT NULL,
  findings TEXT NOT NULL,
  CONSTRAINT reconciliation_pk PRIMARY KEY (account),
  CONSTRAINT reconciliation_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
-- Operators are told how many accounts these are, each time that a monitor asks.
CREATE INDEX reconciliation_differs ON reconciliation (account) WHERE json_array_length(findings, '$.differences') > 0;


-- The restores of accounts' objects. number grows within an account: its object knows by the newest whether its storage has gone
-- back. target is a time or a bookmark. kept is what the object must not forget, a JSON object; it is empty when the object has
-- got it.
CREATE TABLE restore (
  account TEXT NOT NULL,
  number INTEGER NOT NULL,
  target TEXT NOT NULL,
  reason TEXT NOT NULL,
  kept TEXT NOT NULL,
  CONSTRAINT restore_pk PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;

-- Chunks that the accounts' objects gave up or that are stuck, for the operators. The row of a stuck chunk goes when the chunk
-- moves. seq is the number of the dead letter within its
-- account.
CREATE TABLE dead_letter (
  id INTEGER NOT NULL,
  account TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  uid TEXT NOT NULL,
  carrier TEXT NOT NULL,
  recipients INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  reason TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'GIVEN_UP',
  CONSTRAINT dead_letter_pk PRIMARY KEY (id AUTOINCREMENT),
  CONSTRAINT dead_letter_is_unique UNIQUE (account, seq)
) STRICT;

CREATE INDEX dead_letter_age ON dead_letter (account, at_ms);

-- Credits that wait for a second operator, and what became of them. The money is in the account's object. created_by and
-- decided_by are ids of operators' keys. claimed_by is at it: until claimed_ms the object may still take the credit. key is the
-- idempotency key that the credit came with, key_hash the hash of its request.
CREATE TABLE credit (
  id TEXT NOT NULL,
  account TEXT NOT NULL,
  amount INTEGER NOT NULL,
  note TEXT,
  status TEXT NOT NULL DEFAULT 'PENDING',
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  key TEXT,
  key_hash TEXT,
  claimed_by TEXT,
  claimed_ms INTEGER,
  decided_by TEXT,
  decided_ms INTEGER,
  CONSTRAINT credit_pk PRIMARY KEY (id),
  CONSTRAINT credit_account_exists FOREIGN KEY (account) REFERENCES account (id) ON DELETE CASCADE,
  CONSTRAINT credit_status_is_known CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED'))
) STRICT, WITHOUT ROWID;

CREATE INDEX credit_key ON credit (account, key);

-- The audit log: who has changed what. A request that changes things in several stores has a part from each, with the same id.
-- actor is the account of the key that asked, account the one that the thing belongs to. before and after are JSON; before
-- is NULL for a new thing, after for one that is gone. The part 'read' says that operators were shown data of a customer; without
-- an account, that there were more. address is the client's.
CREATE TABLE audit (
  id TEXT NOT NULL,
  part TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  key TEXT NOT NULL,
  account TEXT,
  operation TEXT NOT NULL,
  thing TEXT NOT NULL,
  name TEXT,
  request TEXT NOT NULL,
  address TEXT,
  before TEXT,
  after TEXT,
  CONSTRAINT audit_pk PRIMARY KEY (id, part)
) STRICT;

CREATE INDEX audit_account ON audit (account, id);
CREATE INDEX audit_key ON audit (key, id);
CREATE INDEX audit_operation ON audit (operation, id);
CREATE INDEX audit_thing ON audit (thing, id);
CREATE INDEX audit_name ON audit (name, id);

-- One row: entries of before this time may be forgotten. It only moves forward.
CREATE TABLE audit_horizon (
  one INTEGER NOT NULL,
  before_ms INTEGER NOT NULL,
  CONSTRAINT audit_horizon_pk PRIMARY KEY (one),
  CONSTRAINT audit_horizon_is_one CHECK (one = 1)
) STRICT, WITHOUT ROWID;

INSERT INTO audit_horizon VALUES (1, 0);

CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit log never changes');
END;

CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
WHEN OLD.at_ms >= (SELECT before_ms FROM audit_horizon WHERE one = 1) BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit log is kept until its time is over');
END;

-- How the thing was that the current transaction changes. The first statement of such a transaction notes it here, the last one
-- takes the row away. So outside of a transaction there is no row.
CREATE TABLE audit_draft (
  one INTEGER NOT NULL,
  account TEXT,
  before TEXT,
  CONSTRAINT audit_draft_pk PRIMARY KEY (one),
  CONSTRAINT audit_draft_is_one CHECK (one = 1)
) STRICT;
