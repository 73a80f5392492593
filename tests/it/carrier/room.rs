//! How far a carrier's object goes beyond the size from which on it takes nothing new.

use peyk::carrier::room::Room;

use super::opened;

const FULL: i64 = 9_500_000_000;

#[test]
fn a_store_that_is_full_is_seen_after_at_most_a_hundred_recipients() {
    for each in [0, 1, 9, 99, 100, 101, 1_000] {
        let (sql, room) = (opened(), Room::default());
        sql.claimed_bytes.set(Some(FULL - 1));
        assert!(!room.is_full(&sql, each).unwrap());
        sql.claimed_bytes.set(Some(FULL));
        let taken = (0..1_000).take_while(|_| !room.is_full(&sql, each).unwrap()).count();
        assert_eq!(taken, 100 / each.max(1), "{each} each time");
        assert!(
            room.is_full(&sql, 1).unwrap(),
            "one is refused too, once the store was seen to be full"
        );
        sql.claimed_bytes.set(Some(FULL - 1));
        assert!(!room.is_full(&sql, each).unwrap(), "room is seen at once");
    }
}
