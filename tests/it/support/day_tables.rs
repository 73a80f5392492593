//! What stands in tables of days, as one table for `count` and the like.

/// The notes of handovers: `(name, note)`.
pub const NOTES: &str = "(SELECT e.key AS name, e.value AS note FROM \
     (SELECT * FROM handover_0 UNION ALL SELECT * FROM handover_1 UNION ALL SELECT * FROM handover_2) h, \
     json_each(h.notes) e)";

/// The SMSC's ids of what it has taken.
pub const IDS: &str = "(\
     SELECT * FROM (SELECT * FROM sent_0 UNION ALL SELECT * FROM sent_1 UNION ALL SELECT * FROM sent_2 \
                    UNION ALL SELECT * FROM sent_3) UNION ALL \
     SELECT * FROM (SELECT * FROM sent_4 UNION ALL SELECT * FROM sent_5 UNION ALL SELECT * FROM sent_6 \
                    UNION ALL SELECT * FROM sent_7))";
