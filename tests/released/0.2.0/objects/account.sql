CREATE TABLE schema_version (part TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL) STRICT;
CREATE TABLE account (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, active INTEGER NOT NULL, sending_enabled INTEGER NOT NULL, rate_limit INTEGER NOT NULL, rate_window_s INTEGER NOT NULL, rate_burst INTEGER NOT NULL, tat_us INTEGER NOT NULL, available INTEGER NOT NULL CHECK (available >= 0), locked INTEGER NOT NULL CHECK (locked >= 0), spent INTEGER NOT NULL CHECK (spent >= 0), credited INTEGER NOT NULL, ledger_seq INTEGER NOT NULL, message_seq INTEGER NOT NULL, accepted_ms INTEGER NOT NULL, version INTEGER NOT NULL, changed_ms INTEGER NOT NULL, audit_full_us INTEGER NOT NULL, ledger_ms INTEGER NOT NULL, open_entries INTEGER NOT NULL, open_page TEXT NOT NULL, usage TEXT NOT NULL, recipient_limit INTEGER NOT NULL, recipient_window_s INTEGER NOT NULL, daily_spend INTEGER, spend_day INTEGER NOT NULL, spent_today INTEGER NOT NULL, on_hold INTEGER NOT NULL, canceled_through INTEGER NOT NULL, test_rate_limit INTEGER NOT NULL, test_rate_window_s INTEGER NOT NULL, test_rate_burst INTEGER NOT NULL, test_tat_us INTEGER NOT NULL, test_bytes INTEGER NOT NULL, secret_first INTEGER NOT NULL, secret_last INTEGER NOT NULL, key_spending TEXT NOT NULL, verify_first INTEGER NOT NULL, verify_due_ms INTEGER NOT NULL, CONSTRAINT money_is_conserved CHECK (available + locked + spent = credited)) STRICT;
CREATE TABLE ledger_page (
        first INTEGER NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        credited INTEGER,
        key TEXT,
        key_hash TEXT,
        entries TEXT NOT NULL
    ) STRICT;
CREATE INDEX ledger_key ON ledger_page (key) WHERE key IS NOT NULL;
CREATE INDEX ledger_credit ON ledger_page (first, credited) WHERE credited IS NOT NULL;
CREATE VIEW ledger (page, seq, at_ms, kind, amount, available, locked, message, note) AS
        SELECT p.first, p.first + e.key, e.value ->> 6, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4,
               e.value ->> 5
        FROM ledger_page p CROSS JOIN json_each(p.entries) e;
CREATE TABLE late_redaction (
        message INTEGER NOT NULL PRIMARY KEY,
        due_ms INTEGER NOT NULL
    ) STRICT;
CREATE INDEX late_redaction_due ON late_redaction (due_ms);
CREATE TABLE number (
        msisdn INTEGER NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (msisdn, message)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE recipient_text (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE chunk (message INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, route TEXT NOT NULL, queue TEXT NOT NULL, object TEXT, state INTEGER NOT NULL, due_ms INTEGER NOT NULL, attempt INTEGER NOT NULL, failures INTEGER NOT NULL, doubt_ms INTEGER, queued INTEGER NOT NULL, active INTEGER NOT NULL, open INTEGER NOT NULL, class INTEGER NOT NULL, ready_ms INTEGER NOT NULL, delivered INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, failed_for TEXT, uid TEXT, kind TEXT, test INTEGER, line TEXT, encoding TEXT, parts INTEGER, cost INTEGER, unit TEXT, refunds TEXT, client_ref TEXT, send_at_ms INTEGER, opens_ms INTEGER, created_ms INTEGER, total INTEGER, msisdn INTEGER, key TEXT, key_hash TEXT, has_pattern INTEGER, expires_ms INTEGER, saved INTEGER, text TEXT, redacted TEXT, sealed TEXT, halt INTEGER, skipped INTEGER, campaign INTEGER, callback TEXT, recipients TEXT NOT NULL, PRIMARY KEY (message, number), CHECK ((number = 0) = (uid IS NOT NULL))) STRICT, WITHOUT ROWID;
CREATE INDEX chunk_msisdn ON chunk (msisdn) WHERE msisdn IS NOT NULL;
CREATE INDEX chunk_key ON chunk (key) WHERE key IS NOT NULL;
CREATE INDEX chunk_client_ref ON chunk (client_ref) WHERE client_ref IS NOT NULL;
CREATE INDEX chunk_campaign ON chunk (campaign, message) WHERE campaign IS NOT NULL;
CREATE INDEX chunk_test ON chunk (message) WHERE test = 1;
CREATE TABLE test_message (
        message INTEGER NOT NULL PRIMARY KEY,
        bytes INTEGER NOT NULL
    ) STRICT;
CREATE VIEW message AS SELECT message AS id, uid, kind, test, line, encoding, parts, cost, unit, refunds, client_ref, send_at_ms, opens_ms, created_ms, total, msisdn, key, key_hash, has_pattern, expires_ms, saved, text, redacted, sealed, halt, skipped, campaign, callback FROM chunk WHERE number = 0;
CREATE VIEW message_to (msisdn, message) AS
        SELECT msisdn, message FROM number UNION ALL SELECT msisdn, message FROM chunk WHERE msisdn IS NOT NULL;
CREATE VIEW recipient (message, idx, chunk, msisdn, cost, parts, status, money, changed_ms, carrier, error, error_code) AS
        SELECT c.message, r.value ->> 0, c.number, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
               r.value ->> 6, r.value ->> 7, r.value ->> 8, r.value ->> 9
        FROM chunk c CROSS JOIN json_each(c.recipients) r;
CREATE VIEW message_progress (message, progress) AS SELECT m.id, (SELECT json_array(CASE WHEN sum(c.active) = 0 THEN iif(min(c.state) = 6, 'CANCELED', 'DONE') WHEN sum(c.queued) < m.total THEN 'SENDING' WHEN m.send_at_ms IS NOT NULL AND max(iif(c.open = 0, 0, c.state)) = 0 THEN 'SCHEDULED' ELSE 'QUEUED' END, sum(c.delivered), sum(c.failed)) FROM chunk c WHERE c.message = m.id) FROM message m;
CREATE VIEW message_status (message, status) AS SELECT m.id, (SELECT CASE WHEN sum(c.active) = 0 THEN iif(min(c.state) = 6, 'CANCELED', 'DONE') WHEN sum(c.queued) < m.total THEN 'SENDING' WHEN m.send_at_ms IS NOT NULL AND max(iif(c.open = 0, 0, c.state)) = 0 THEN 'SCHEDULED' ELSE 'QUEUED' END FROM chunk c WHERE c.message = m.id) FROM message m;
CREATE INDEX chunk_ready ON chunk (class, queue, due_ms, ready_ms) WHERE state = 1;
CREATE INDEX chunk_waiting ON chunk (due_ms, state) WHERE state IN (0, 2, 3, 5, 7, 8);
CREATE TABLE dead_letter (seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, at_ms INTEGER NOT NULL, uid TEXT NOT NULL, carrier TEXT NOT NULL, recipients INTEGER NOT NULL, attempts INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
CREATE TABLE stuck (
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        seq INTEGER NOT NULL UNIQUE,
        PRIMARY KEY (message, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE api_key (id TEXT NOT NULL, title TEXT NOT NULL, digest TEXT NOT NULL, hint TEXT, scopes TEXT NOT NULL, mode TEXT NOT NULL, lines TEXT, created_ms INTEGER NOT NULL, expires_ms INTEGER, revoked_ms INTEGER, successor TEXT, term_ms INTEGER, used_ms INTEGER, address TEXT, created_by TEXT, ips TEXT, rate_per_minute INTEGER, daily_spend INTEGER, session_of TEXT, phone INTEGER, role TEXT, joined_ms INTEGER, is_link INTEGER NOT NULL DEFAULT 0, signed_in_by TEXT, looks INTEGER NOT NULL DEFAULT 0, audit_full_us INTEGER NOT NULL DEFAULT 0, counted_full_us INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (id)) STRICT, WITHOUT ROWID;
CREATE TABLE invitation (
        message INTEGER NOT NULL PRIMARY KEY,
        member TEXT NOT NULL,
        inviter TEXT,
        sent_ms INTEGER NOT NULL
    ) STRICT;
CREATE TABLE passkey (id TEXT NOT NULL, member TEXT NOT NULL, title TEXT NOT NULL, credential TEXT NOT NULL, public_key TEXT NOT NULL, counter INTEGER NOT NULL, created_ms INTEGER NOT NULL, used_ms INTEGER, PRIMARY KEY (id), UNIQUE (credential)) STRICT, WITHOUT ROWID;
CREATE TABLE answered_challenge (
        challenge TEXT NOT NULL PRIMARY KEY,
        ends_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE member_rule (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        only_passkeys INTEGER NOT NULL
    ) STRICT;
CREATE TABLE key_maker (
        key TEXT NOT NULL,
        maker TEXT NOT NULL,
        replaced INTEGER NOT NULL,
        PRIMARY KEY (key, maker)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE source (
        name TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (name, message)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX source_message ON source (message);
CREATE TABLE campaign (id INTEGER NOT NULL, uid TEXT NOT NULL, title TEXT NOT NULL, state INTEGER NOT NULL, reason INTEGER, test INTEGER NOT NULL, plan TEXT NOT NULL, starter TEXT NOT NULL, revision INTEGER NOT NULL, created_ms INTEGER NOT NULL, started_ms INTEGER, ended_ms INTEGER, due_ms INTEGER, next_number INTEGER NOT NULL, wave INTEGER, canceled_through INTEGER NOT NULL, counted TEXT NOT NULL, forgotten TEXT NOT NULL, opt_outs INTEGER NOT NULL, forgiven TEXT NOT NULL, resend_of TEXT, resent_as TEXT, was_resent INTEGER NOT NULL, key TEXT, key_hash TEXT, PRIMARY KEY (id)) STRICT;
CREATE INDEX campaign_due ON campaign (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX campaign_key ON campaign (key) WHERE key IS NOT NULL;
CREATE TABLE removal (
        phonebook TEXT NOT NULL PRIMARY KEY,
        noted_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX removal_noted ON removal (noted_ms);
CREATE TABLE blacklist (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        msisdn INTEGER NOT NULL UNIQUE,
        created_ms INTEGER NOT NULL,
        opt_out INTEGER NOT NULL
    ) STRICT;
CREATE TABLE blocked_digest (
        digest TEXT NOT NULL PRIMARY KEY,
        opt_out INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE erasure (
        seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        ending TEXT NOT NULL,
        by_operators INTEGER NOT NULL,
        sealed TEXT,
        created_ms INTEGER NOT NULL,
        done_ms INTEGER,
        due_ms INTEGER NOT NULL,
        step INTEGER NOT NULL,
        position TEXT NOT NULL,
        found TEXT NOT NULL
    ) STRICT;
CREATE INDEX erasure_due ON erasure (due_ms) WHERE done_ms IS NULL;
CREATE TABLE inbound (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        carrier TEXT NOT NULL,
        carrier_id TEXT,
        line TEXT NOT NULL,
        sender TEXT NOT NULL,
        text TEXT NOT NULL,
        is_cut INTEGER NOT NULL,
        opt_out INTEGER NOT NULL,
        confirmed_ms INTEGER,
        received_ms INTEGER NOT NULL
    ) STRICT;
CREATE TABLE inbound_mark (
        line TEXT NOT NULL PRIMARY KEY,
        taken INTEGER NOT NULL,
        taker TEXT NOT NULL,
        hour INTEGER NOT NULL,
        first INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_carrier_id ON inbound (carrier, carrier_id) WHERE carrier_id IS NOT NULL;
CREATE INDEX inbound_line ON inbound (line);
CREATE INDEX inbound_sender ON inbound (sender);
CREATE INDEX inbound_sender_and_line ON inbound (sender, line);
CREATE INDEX inbound_confirmed ON inbound (sender, line) WHERE confirmed_ms IS NOT NULL;
CREATE INDEX inbound_received ON inbound (received_ms);
CREATE TABLE usage (
        day INTEGER NOT NULL,
        line TEXT NOT NULL,
        carrier TEXT NOT NULL,
        test INTEGER NOT NULL,
        messages INTEGER NOT NULL DEFAULT 0,
        recipients INTEGER NOT NULL DEFAULT 0,
        parts INTEGER NOT NULL DEFAULT 0,
        cost INTEGER NOT NULL DEFAULT 0,
        returned INTEGER NOT NULL DEFAULT 0,
        delivered INTEGER NOT NULL DEFAULT 0,
        undelivered INTEGER NOT NULL DEFAULT 0,
        expired INTEGER NOT NULL DEFAULT 0,
        rejected INTEGER NOT NULL DEFAULT 0,
        unknown INTEGER NOT NULL DEFAULT 0,
        canceled INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL DEFAULT 1,
        mirrored INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (day, line, carrier, test)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE upkeep (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        live_walked INTEGER NOT NULL,
        test_walked INTEGER NOT NULL,
        live_forgotten_day INTEGER NOT NULL,
        test_forgotten_day INTEGER NOT NULL,
        forget_due_ms INTEGER NOT NULL,
        inbound_due_ms INTEGER NOT NULL,
        look_due_ms INTEGER NOT NULL,
        waiting_told_ms INTEGER NOT NULL
    ) STRICT;
CREATE TABLE webhook (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        types INTEGER NOT NULL,
        test_types INTEGER NOT NULL,
        handing TEXT,
        last_seq INTEGER NOT NULL DEFAULT 0
    ) STRICT;
CREATE TABLE low_balance (
        threshold INTEGER NOT NULL PRIMARY KEY,
        told INTEGER NOT NULL
    ) STRICT;
CREATE TABLE event (
        seq INTEGER NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        type TEXT NOT NULL,
        message TEXT,
        body TEXT NOT NULL
    ) STRICT;
CREATE TABLE pattern (
        slug TEXT NOT NULL PRIMARY KEY,
        revision INTEGER,
        changes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE verification (number INTEGER NOT NULL, uid TEXT NOT NULL, status INTEGER NOT NULL, test INTEGER NOT NULL, msisdn INTEGER NOT NULL, purpose TEXT NOT NULL, line TEXT NOT NULL, seed TEXT, length INTEGER NOT NULL, max_attempts INTEGER NOT NULL, checks INTEGER NOT NULL, sends TEXT NOT NULL, cost INTEGER NOT NULL, created_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, ended_ms INTEGER, address TEXT, client_ref TEXT, PRIMARY KEY (number), CHECK (seed IS NULL OR ended_ms IS NULL)) STRICT;
CREATE INDEX verification_blocked ON verification (msisdn) WHERE status = 5;
CREATE TABLE sign_in (msisdn INTEGER NOT NULL, browser TEXT NOT NULL, network TEXT, seed TEXT, checks INTEGER NOT NULL, sends TEXT NOT NULL, known_ms INTEGER NOT NULL, sent_ms INTEGER NOT NULL, ends_ms INTEGER NOT NULL, PRIMARY KEY (msisdn, browser)) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_ends ON sign_in (ends_ms);
CREATE TABLE verify_day (day INTEGER NOT NULL, line TEXT NOT NULL, prefix TEXT NOT NULL, carrier TEXT NOT NULL, test INTEGER NOT NULL, started INTEGER NOT NULL, sent INTEGER NOT NULL, checked INTEGER NOT NULL, approved INTEGER NOT NULL, blocked INTEGER NOT NULL, seconds TEXT NOT NULL, PRIMARY KEY (day, line, prefix, carrier, test)) STRICT, WITHOUT ROWID;
CREATE TABLE verify_prefix (
        prefix TEXT NOT NULL PRIMARY KEY,
        since_ms INTEGER NOT NULL,
        ended INTEGER NOT NULL,
        approved INTEGER NOT NULL,
        paused_until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE restore (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        number INTEGER NOT NULL,
        done TEXT
    ) STRICT;
CREATE TABLE audit (
        seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        at_ms INTEGER NOT NULL,
        entry TEXT NOT NULL
    ) STRICT;
INSERT INTO restore VALUES (1, 0, NULL);
INSERT INTO schema_version VALUES ('account', 1);
INSERT INTO upkeep VALUES (1, 0, 0, -1, -1, 0, 0, 0, 0);
