//! The pure part of a match: lines and faults in, messages and steps out.

use std::collections::VecDeque;

use quintain_core::{
    Chance, Digest, Fault, Intake, Item, Outbox, PerSeat, Protocol, Replies, Reply, Seat, Seats,
    Spoken,
};

use crate::Message;

/// Whether both seats think at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ask {
    /// The second seat is asked when the first has answered, so that two searching bots never
    /// share a processor by accident.
    #[default]
    InTurn,
    /// Both are asked at once.
    Together,
}

impl Ask {
    pub const ALL: [Ask; 2] = [Ask::InTurn, Ask::Together];

    pub fn name(self) -> &'static str {
        match self {
            Ask::InTurn => "in-turn",
            Ask::Together => "together",
        }
    }

    /// The inverse of [`Ask::name`].
    pub fn from_name(name: &str) -> Option<Ask> {
        Ask::ALL.into_iter().find(|ask| ask.name() == name)
    }
}

/// A match in progress, without clock, input or output.
///
/// The driver calls [`Table::start`], then hands over lines and faults; whenever
/// [`Table::is_ready`] it calls [`Table::step`], until the game has an outcome. What is to be sent
/// is collected and leaves with [`Table::send_messages`].
pub struct Table<G: Spoken> {
    pub game: G,
    pub protocol: G::Protocol,
    ask: Ask,
    is_started: bool,
    replies: Replies<G::Action>,
    /// Seats that have been prompted in `prompted_turn`.
    prompted: Seats,
    prompted_turn: u32,
    /// Prompted since the driver last looked.
    newly_prompted: Seats,
    /// What the next seat will be asked, made while the one before it thinks.
    prepared: Option<(Seat, Vec<Message>)>,
    /// A seat was given up that is not to act.
    given_up: bool,
    later: PerSeat<VecDeque<String>>,
    /// What was said since the step before the last one, sent or not.
    outbox: Outbox,
    /// How much of it has been sent.
    sent: usize,
    /// How much of it belongs to the last step; the rest to the next.
    said_in_step: usize,
    messages: Digest,
    /// What the last step was played with.
    answered: Replies<G::Action>,
    events: Vec<G::Event>,
}

impl<G: Spoken> Table<G> {
    pub fn new(game: G, protocol: G::Protocol, ask: Ask) -> Self {
        Table {
            prompted_turn: game.turn(),
            game,
            protocol,
            ask,
            is_started: false,
            replies: PerSeat::default(),
            prompted: Seats::NONE,
            newly_prompted: Seats::NONE,
            prepared: None,
            given_up: false,
            later: PerSeat::default(),
            outbox: Outbox::default(),
            sent: 0,
            said_in_step: 0,
            messages: Digest::new(),
            answered: PerSeat::default(),
            events: Vec::new(),
        }
    }

    /// Says what is said before the first turn, and asks who is to act.
    pub fn start(&mut self) {
        self.is_started = true;
        self.protocol.start(&self.game.views(), &mut self.outbox);
        self.prompt_who_is_due();
        self.said_in_step = self.outbox.0.len();
    }

    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// Whether this seat's answer is awaited.
    pub fn is_asked(&self, seat: Seat) -> bool {
        self.prompted.contains(seat)
            && self.replies[seat].is_none()
            && self.game.to_act().contains(seat)
    }

    /// The seats asked since the last call: their clocks start now.
    pub fn take_prompted(&mut self) -> Seats {
        std::mem::replace(&mut self.newly_prompted, Seats::NONE)
    }

    /// Makes what the next seat will be asked in this turn while another one thinks, and shows it,
    /// once. It is sent only when the seat's turn has come. Nothing to do where both are asked at
    /// once, or where a question is no more than a few lines.
    pub fn prepare(&mut self) -> Option<&[Message]> {
        if !G::Protocol::LONG_QUESTIONS || self.ask == Ask::Together || self.prepared.is_some() {
            return None;
        }
        let mut seats = self.game.to_act().iter();
        seats.find(|&seat| self.is_asked(seat))?;
        let next = seats.find(|&seat| !self.prompted.contains(seat))?;
        let said_before = self.outbox.0.len();
        self.protocol.prompt(next, &self.game.view(next), &mut self.outbox);
        let question = self.outbox.0.split_off(said_before);
        let (_, messages) = self.prepared.insert((next, question));
        Some(messages)
    }

    /// Hears a line. The seat counts as asked if its answer is awaited.
    pub fn hear(&mut self, seat: Seat, line: &str) {
        let asked = self.is_asked(seat);
        match self.protocol.hear(seat, asked, line, &mut self.outbox) {
            Intake::More | Intake::Ignored => {}
            Intake::Later => self.later[seat].push_back(line.to_owned()),
            Intake::Action(action) => self.reply(seat, Reply::Act(action)),
            Intake::Malformed(error) => self.reply(seat, Reply::Fault(Fault::Malformed(error))),
        }
    }

    /// A seat will not answer this time. A seat that is not to act can be given up too, before a
    /// match begins; the rules decide what that means.
    pub fn fault(&mut self, seat: Seat, fault: Fault) {
        self.given_up |= !self.game.to_act().contains(seat);
        self.reply(seat, Reply::Fault(fault));
    }

    /// What has been answered of the next step.
    pub fn replies(&self) -> &Replies<G::Action> {
        &self.replies
    }

    /// Whether everything is there for the next step.
    pub fn is_ready(&self) -> bool {
        self.game.outcome().is_none()
            && (self.given_up || self.game.to_act().iter().all(|seat| self.replies[seat].is_some()))
    }

    /// Plays the step, says what is to be said of it and asks who is to act next.
    pub fn step(&mut self, chance: &mut dyn Chance) {
        assert!(self.is_ready(), "a step needs the reply of every seat that was asked");
        let over = self.said_in_step.min(self.sent);
        self.outbox.forget(over);
        self.sent -= over;
        self.answered = std::mem::take(&mut self.replies);
        self.given_up = false;
        self.events.clear();
        self.game.advance(&self.answered, chance, &mut self.events);
        let outcome = self.game.outcome();
        assert!(
            outcome.is_none() || self.game.to_act().is_empty(),
            "nobody acts in a finished game"
        );
        self.protocol.tell(&self.events, outcome.as_ref(), &mut self.outbox);
        if outcome.is_none() {
            self.prompt_who_is_due();
        }
        self.said_in_step = self.outbox.0.len();
    }

    /// What was answered in the last step.
    pub fn answered(&self) -> &Replies<G::Action> {
        &self.answered
    }

    /// What happened in the last step.
    pub fn events(&self) -> &[G::Event] {
        &self.events
    }

    /// What is to be sent, in order across both seats.
    pub fn unsent(&self) -> &[Message] {
        &self.outbox.0[self.sent..]
    }

    /// Hands out what is to be sent. What can wait is done when it is on its way.
    pub fn send_messages(&mut self, send: impl FnOnce(&[Message])) {
        let unsent = &self.outbox.0[self.sent..];
        send(unsent);
        for message in unsent {
            digest_message(&mut self.messages, message);
        }
        self.sent = self.outbox.0.len();
    }

    /// What was said since the step before the last one, up to the questions that follow from the last:
    /// the same whether it has been sent or not, and whether a bot inside the process has gone on since.
    pub fn said(&self) -> &[Message] {
        &self.outbox.0[..self.said_in_step]
    }

    /// The fingerprint of all messages sent so far.
    pub fn messages_fingerprint(&self) -> u64 {
        self.messages.clone().finish()
    }

    fn reply(&mut self, seat: Seat, reply: Reply<G::Action>) {
        self.replies[seat] = Some(reply);
        if self.game.outcome().is_none() {
            self.prompt_who_is_due();
        }
    }

    /// Prompts each seat at most once a turn; in turn, a seat waits for the one before it.
    fn prompt_who_is_due(&mut self) {
        if self.prompted_turn != self.game.turn() {
            self.prompted_turn = self.game.turn();
            self.prompted = Seats::NONE;
            self.prepared = None;
        }
        for seat in self.game.to_act().iter() {
            let is_due = !self.prompted.contains(seat) && self.replies[seat].is_none();
            if is_due && !self.given_up {
                self.prompt(seat);
            }
            if self.ask == Ask::InTurn && self.replies[seat].is_none() {
                return;
            }
        }
    }

    fn prompt(&mut self, seat: Seat) {
        self.prompted = self.prompted.with(seat);
        self.newly_prompted = self.newly_prompted.with(seat);
        match self.prepared.take_if(|(next, _)| *next == seat) {
            Some((_, messages)) => self.outbox.0.extend(messages),
            None => self.protocol.prompt(seat, &self.game.view(seat), &mut self.outbox),
        }
        while self.is_asked(seat) {
            let Some(line) = self.later[seat].pop_front() else {
                return;
            };
            self.hear(seat, &line);
        }
    }
}

/// A longer line holds a whole state, as a file does.
const LONG_LINE_BYTES: usize = 1024;

fn digest_message(digest: &mut Digest, (seat, item): &Message) {
    digest.u8(*seat as u8);
    match item {
        Item::Line(line) if line.len() > LONG_LINE_BYTES => digest.bulk(line.as_bytes()),
        Item::Line(line) => digest.text(line),
        Item::File { path, bytes } => digest.text(path).bulk(bytes),
    };
}
