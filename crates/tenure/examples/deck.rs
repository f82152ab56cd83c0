//! A deck of cards that is sorted and dealt several times, while players keep their cards.
//!
//! A card is a row. A player holds *handles*, so a hand stays the same five cards, whatever the
//! order of the deck. Next to the deck there is a list by row number, which has to follow every
//! move.
//!
//! ```text
//! cargo run --release -p tenure --features derive --example deck
//! ```

use tenure::{Handle, Row, Table};

/// `place` is 0 for the deck, and otherwise the number of a player.
#[derive(Row)]
struct Card {
    suit: u8,
    rank: u8,
    place: u8,
}

const PLAYERS: u8 = 4;
const HAND: usize = 5;

/// A hand: handles, and the cards that they were dealt for.
type Hand = Vec<(Handle<Card>, (u8, u8))>;

struct Game {
    deck: Table<Card>,
    /// By row: suit and rank as text. Kept in step by following the moves.
    labels: Vec<String>,
    hands: Vec<Hand>,
}

impl Game {
    fn new() -> Self {
        let cards = (0..52).map(|number| Card { suit: number / 13, rank: number % 13, place: 0 });
        let deck: Table<Card> = cards.collect();
        let labels = deck.values().map(|card| label((*card.suit, *card.rank))).collect();
        Self { deck, labels, hands: (0..PLAYERS).map(|_| Vec::new()).collect() }
    }

    /// Deals five cards to every player, from the top of the current deck.
    fn deal(&mut self) {
        self.deck.columns_mut().place.fill(0);
        let mut top = 0;
        for (player, hand) in (1..).zip(&mut self.hands) {
            hand.clear();
            for &card in &self.deck.raw_handles()[top..top + HAND] {
                let row = self.deck.get(card).expect("the deck holds it");
                hand.push((card, (*row.suit, *row.rank)));
            }
            self.deck.columns_mut().place[top..top + HAND].fill(player);
            top += HAND;
        }
        self.check("dealt");
    }

    fn sort_by_suit(&mut self) {
        self.deck.following(&mut self.labels).sort_by_key(|card| (*card.suit, *card.rank));
        self.check("sorted by suit");
    }

    fn sort_by_rank(&mut self) {
        self.deck.following(&mut self.labels).sort_by_key(|card| (*card.rank, *card.suit));
        self.check("sorted by rank");
    }

    /// The same seed always gives the same order.
    fn shuffle(&mut self, mut seed: u64) {
        for row in (1..self.deck.len()).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let other = usize::try_from(seed >> 33).expect("31 bits") % (row + 1);
            self.deck.following(&mut self.labels).swap_rows(row, other);
        }
        self.check("shuffled");
    }

    /// The last card fills the gap, so two rows change.
    fn lose_a_card_of(&mut self, player: u8) {
        let (card, _) = self.hands[usize::from(player - 1)].remove(0);
        self.deck.following(&mut self.labels).remove(card);
        assert!(self.deck.get(card).is_none(), "the handle of a removed card does not resolve");
        self.check("a card was lost");
    }

    /// Removes all cards of a suit, in one pass.
    fn burn(&mut self, suit: u8) {
        self.deck.following(&mut self.labels).retain(|_, card| *card.suit != suit);
        let deck = &self.deck;
        self.hands.iter_mut().for_each(|hand| hand.retain(|(card, _)| deck.contains(*card)));
        self.check("a suit was burnt");
    }

    /// Checks that every card in every hand is the card that was dealt, that the table has the same
    /// player for it, and that every label is that of its row.
    fn check(&self, what: &str) {
        for (player, hand) in (1..).zip(&self.hands) {
            for &(card, dealt) in hand {
                let row = self.deck.get(card).unwrap_or_else(|| panic!("{what}: a card is missing"));
                assert_eq!((*row.suit, *row.rank, *row.place), (dealt.0, dealt.1, player), "{what}: another card");
            }
        }
        let cards = self.deck.values().map(|card| label((*card.suit, *card.rank)));
        assert!(cards.eq(self.labels.iter().cloned()), "{what}: the labels have not followed");
    }

    fn show(&self, what: &str) {
        println!("{what}:");
        for (player, hand) in (1..).zip(&self.hands) {
            let cards: Vec<String> = hand.iter().map(|&(_, card)| label(card)).collect();
            let rows: Vec<_> = hand.iter().filter_map(|&(card, _)| self.deck.row_of(card)).collect();
            println!("  player {player}: {} (rows {rows:?})", cards.join(" "));
        }
    }
}

fn label((suit, rank): (u8, u8)) -> String {
    let suit = ["♣", "♦", "♥", "♠"][usize::from(suit)];
    let rank = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"][usize::from(rank)];
    format!("{rank}{suit}")
}

/// Runs the example.
pub(crate) fn main() {
    let mut game = Game::new();
    game.shuffle(2_026);
    game.deal();
    game.show("Dealt");
    game.sort_by_suit();
    game.show("The deck was sorted by suit: other rows, the same cards");
    game.sort_by_rank();
    game.lose_a_card_of(1);
    game.burn(3);
    game.show("It was sorted by rank, player 1 lost a card, and all spades were burnt");
    game.shuffle(7);
    game.deal();
    game.show("Dealt again");

    // Suit and rank are unique, so a card can be found without a handle.
    let queen = game.deck.find_by(|card| (*card.suit, *card.rank) == (2, 11));
    println!("The queen of hearts is at row {:?}.", queen.and_then(|card| game.deck.row_of(card)));
}
