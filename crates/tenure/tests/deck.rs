//! A deck of cards as a table. A hand is a list of handles, not of rows. Whatever is done to the
//! deck, every handle that was issued resolves to its own card, or reports that the card was
//! removed.

use tenure::{Handle, Row, Table};
use test_support::forge::noise;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Row)]
struct Card {
    suit: u8,
    rank: u8,
    /// 0 is the pile; the other numbers are players.
    held_by: u8,
}

const PLAYERS: u8 = 4;

/// A deck, and every handle that was ever issued, with the card it was issued for.
struct Game {
    deck: Table<Card>,
    names: Vec<(Handle<Card>, u8, u8)>,
    /// The handles that each player holds.
    hands: Vec<Vec<Handle<Card>>>,
    /// Handles of cards that were removed from the game.
    gone: Vec<Handle<Card>>,
    /// Side data by row, next to the table: a copy of the suit and the rank.
    scratches: Vec<(u8, u8)>,
}

impl Game {
    fn new() -> Self {
        let cards = (0..52).map(|card| Card { suit: card / 13, rank: card % 13, held_by: 0 });
        let deck: Table<Card> = cards.collect();
        let names = deck.iter().map(|(name, card)| (name, *card.suit, *card.rank)).collect();
        let scratches = deck.iter().map(|(_, card)| (*card.suit, *card.rank)).collect();
        Self { deck, names, hands: vec![Vec::new(); usize::from(PLAYERS) + 1], gone: Vec::new(), scratches }
    }

    /// Checks every handle that was ever issued.
    fn check(&self, after: &str) {
        self.deck.validate().unwrap();
        assert_eq!(self.deck.len() + self.gone.len(), self.names.len(), "{after}");
        for &(name, suit, rank) in &self.names {
            let card = self.deck.get(name);
            assert_eq!(card.is_none(), self.gone.contains(&name), "{name} {after}");
            if let Some(card) = card {
                assert_eq!((*card.suit, *card.rank), (suit, rank), "{name} {after}");
                let row = self.deck.row_of(name).unwrap();
                assert_eq!(
                    (self.deck.raw_handles()[row], self.scratches[row]),
                    (name, (suit, rank)),
                    "{name} {after}"
                );
            }
        }
        assert_eq!(self.scratches.len(), self.deck.len(), "{after}");
        for player in 1..=PLAYERS {
            self.check_hand(player, after);
        }
    }

    /// Checks that the handles of a hand and the column `held_by` agree.
    fn check_hand(&self, player: u8, after: &str) {
        let mut held: Vec<_> =
            self.deck.iter().filter(|(_, card)| *card.held_by == player).map(|(name, _)| name).collect();
        let mut hand = self.hands[usize::from(player)].clone();
        held.sort_unstable();
        hand.sort_unstable();
        assert_eq!(held, hand, "player {player} {after}");
    }

    fn shuffle(&mut self, seed: u64) {
        let mut order: Vec<(u64, u32)> = noise(seed).zip(0..).take(self.deck.len()).collect();
        order.sort_unstable();
        let order: Vec<u32> = order.into_iter().map(|(_, row)| row).collect();
        self.deck.following(&mut self.scratches).apply_order(&order).unwrap();
        self.check("after a shuffle");
    }

    /// Deals cards from the top of the pile, one to each player in turn.
    fn deal(&mut self, each: usize) {
        for round in 0..each {
            for player in 1..=PLAYERS {
                let top = self.deck.find_by(|card| *card.held_by == 0).expect("there are cards left");
                *self.deck.get_mut(top).unwrap().held_by = player;
                self.hands[usize::from(player)].push(top);
                self.check(&format!("after {player} got a card in round {round}"));
            }
        }
    }

    fn collect(&mut self) {
        self.deck.columns_mut().held_by.fill(0);
        self.hands.iter_mut().for_each(Vec::clear);
        self.check("after the cards were collected");
    }

    fn sort_by_suit(&mut self) {
        self.deck.following(&mut self.scratches).sort_by_key(|card| *card.suit);
        assert!(self.deck.columns().suit.is_sorted());
        self.check("after a sort by suit");
    }

    /// Removes the cards from the game.
    fn discard(&mut self, names: &[Handle<Card>], how: fn(&mut Self, &[Handle<Card>])) {
        how(self, names);
        self.gone.extend_from_slice(names);
        self.hands.iter_mut().for_each(|hand| hand.retain(|name| !names.contains(name)));
        self.check("after cards were discarded");
    }

    /// Inserts a new card. Its handle must never have been issued before.
    fn print(&mut self, card: Card) -> Handle<Card> {
        let name = self.deck.insert(card);
        assert!(self.names.iter().all(|(other, ..)| *other != name));
        self.names.push((name, card.suit, card.rank));
        self.scratches.push((card.suit, card.rank));
        self.check("after a card was printed");
        name
    }
}

#[test]
fn hands_stay_correct_after_shuffles_sorts_and_deals() {
    let mut game = Game::new();
    game.check("at the start");
    for round in 0..3 {
        game.shuffle(round);
        game.deal(5);
        let before = game.hands.clone();
        game.sort_by_suit();
        game.deck.following(&mut game.scratches).sort_by(|a, b| (b.rank, a.suit).cmp(&(a.rank, b.suit)));
        game.check("after a sort by rank");
        assert_eq!(game.hands, before);
        game.collect();
    }
}

#[test]
fn hands_stay_correct_when_cards_are_removed() {
    let mut game = Game::new();
    game.shuffle(7);
    game.deal(5);

    let first = game.hands[1][0];
    game.discard(&[first], |game, names| {
        assert!(game.deck.following(&mut game.scratches).remove(names[0]).is_some());
    });
    game.sort_by_suit();
    let second = game.hands[2][1];
    game.discard(&[second], |game, names| {
        assert!(game.deck.following(&mut game.scratches).remove_ordered(names[0]).is_some());
    });
    assert!(game.deck.columns().suit.is_sorted());
    let pile: Vec<_> = game.deck.iter().filter(|(_, card)| *card.held_by == 0).map(|(name, _)| name).collect();
    game.discard(&pile, |game, names| {
        assert_eq!(game.deck.following(&mut game.scratches).remove_many(names.iter().copied()), names.len());
    });
    assert!(game.deck.columns().suit.is_sorted());
    assert_eq!(game.deck.len(), 18);
}

/// The slot of a removed card is reused: the old handle does not resolve, in particular not to the
/// new card.
#[test]
fn a_new_card_never_resolves_by_an_old_handle() {
    let mut game = Game::new();
    game.deal(5);
    let lost = game.hands[3][2];
    game.discard(&[lost], |game, names| _ = game.deck.following(&mut game.scratches).remove(names[0]));
    let joker = game.print(Card { suit: 4, rank: 0, held_by: 0 });
    assert_eq!((joker.index(), game.deck.get(lost)), (lost.index(), None));
    game.sort_by_suit();
    assert_eq!(game.deck.row_of(joker), Some(51));
}

/// Suit and rank identify a card, so it can be looked up by them.
#[test]
fn a_card_is_found_by_suit_and_rank() {
    let mut game = Game::new();
    game.shuffle(3);
    for &(name, suit, rank) in &game.names {
        assert_eq!(game.deck.find_by(|card| (*card.suit, *card.rank) == (suit, rank)), Some(name));
    }
    game.deck.following(&mut game.scratches).sort_by_key(|card| (*card.suit, *card.rank));
    for &(name, suit, rank) in &game.names {
        let row = game.deck.binary_search_by_key(&(suit, rank), |card| (*card.suit, *card.rank));
        assert_eq!(row.ok(), game.deck.row_of(name));
    }
    assert_eq!(game.deck.binary_search_by_key(&(4, 0), |card| (*card.suit, *card.rank)), Err(52));
}
