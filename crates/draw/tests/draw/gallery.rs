//! A film with everything that a scene can say, made by hand.

use quintain_core::scene::{
    Anchor, Area, Colour, Curve, CurveKind, Film, Form, Frame, Gauge, Ink, Label, Legend, Mark,
    MarkKind, Paint, Panel, Part, Plate, Point, Scene, Shape, Stage, Style, Symbol, TextScene,
    Tone, Window, Windows,
};
use quintain_core::{PerSeat, Seat};

/// A plane with coordinates of its own, which a small map shows.
const MAP: u8 = 1;

const SKY: Ink = Ink::Own(0);
const GLOW: Ink = Ink::Own(1);
const BLAST: Ink = Ink::Own(2);
const SKIN: Ink = Ink::Own(3);
const VEIL: Ink = Ink::Own(4);

/// `turns` turns on a stage of these proportions.
pub(crate) fn gallery(width: f64, height: f64, turns: u32) -> Film {
    let frames = (0..=turns).map(|turn| frame(turn, width, height)).collect();
    Film {
        title: "Gallery",
        turn_name: "turn",
        names: PerSeat(["Ada".to_owned(), "Grace Hopper".to_owned()]),
        stage: stage(width, height),
        frames,
        left_out: 0,
        ending: "Ada wins 4 to 2: the gallery closes".to_owned(),
        turn_ms: 400,
    }
}

fn stage(width: f64, height: f64) -> Stage {
    let mut stage = Stage::of_size(width, height);
    stage.narrow = Some((1.0, 1.0));
    stage.palette = vec![
        Paint::down([0xe9_e4_d8, 0xb3_9c_7b], [0x21_2b_41, 0x0a_0c_12]),
        Paint::glow(0xff_c0_20, 0xff_e0_80, 200),
        Paint::out([0xff_ff_ff, 0xe0_43_1a], [0xff_ff_ff, 0xa8_20_1a]),
        Paint::flat(0xf0_c8_a0, 0xd0_a0_78),
        Paint {
            light: Tone::Flat(Colour::hex(0x20_60_20).with_alpha(90)),
            dark: Tone::Flat(Colour::hex(0x60_c0_60).with_alpha(90)),
        },
    ];
    stage.symbols = vec![Symbol::new(
        "arrow",
        'A',
        vec![
            Part::fill(Ink::Tint, "M-0.9-0.4h0.9v-0.5L1 0 0 0.9v-0.5h-0.9z")
                .outlined(Ink::Text, 0.1),
            Part::fill(SKIN, "M-0.5 0a0.25 0.25 0 1 0 0.5 0a0.25 0.25 0 1 0-0.5 0z"),
            Part::stroke(Ink::Ground, 0.12, "M-0.8-0.2q0.2 0.2 0 0.4").faded(0.7),
        ],
    )];
    stage.background = vec![
        Shape::new(1, 0, Form::rectangle(0.0, 0.0, width, height), Style::fill(SKY)),
        Shape::new(
            2,
            1,
            Form::rounded(Area::new(2.0, 2.0, width - 4.0, height - 4.0), 6.0),
            Style::stroke(Ink::Wall, 0.6),
        ),
        Shape::new(3, 0, Form::rectangle(0.0, 0.0, 20.0, 20.0), Style::fill(Ink::Field))
            .on_plane(MAP),
    ];
    stage.legend = vec![
        Legend::new(Form::symbol(0, (0.0, 0.0), 0.9), Style::fill(Ink::First), "an arrow of Ada"),
        Legend::new(Form::circle((0.0, 0.0), 0.8), Style::fill(BLAST), "a blast"),
        Legend::new(
            Form::line((-1.0, 0.0), (1.0, 0.0)),
            Style::stroke(Ink::Second, 0.3).dashed(0.4),
            "a way that is planned",
        ),
    ];
    stage.curve = Some(Curve { name: "health", kind: CurveKind::Both, max: 0.0 });
    stage
}

fn frame(turn: u32, width: f64, height: f64) -> Frame {
    let at = f64::from(turn);
    let x = 10.0 + (at * 3.0) % (width - 30.0);
    let lens = Area::new(x - 6.0, height / 2.0 - 6.0, 12.0, 12.0);
    let mut scene = Scene {
        shapes: shapes(turn, x, width, height),
        windows: Windows {
            wide: vec![
                Window::whole(0, Area::new(0.0, 0.0, width, height)),
                Window::whole(0, lens).placed(1, Area::new(0.74, 0.5, 0.24, 0.46)).round(),
                Window::whole(MAP, Area::new(0.0, 0.0, 20.0, 20.0))
                    .placed(2, Area::new(0.02, 0.74, 0.2, 0.24)),
            ],
            narrow: vec![Window::whole(0, Area::new(x - 15.0, height / 2.0 - 15.0, 30.0, 30.0))],
        },
        caption: "Ada looks, Grace waits".to_owned(),
        ..Scene::default()
    };
    scene.curve = PerSeat([100.0 - at * 2.0, 100.0 - at * at % 60.0]);
    let energy = |value: u32| Gauge { value: f64::from(value), max: 20.0, cells: 20 };
    for seat in Seat::BOTH {
        let health = Gauge { value: 100.0 - at * 3.0, max: 100.0, cells: 0 };
        scene.panels.push(Panel::new(seat, "points", turn / 4).decisive());
        scene.panels.push(
            Panel::new(seat, "energy", format!("{} / 20", 20 - turn % 20))
                .with_gauge(energy(20 - turn % 20))
                .changed("−1 this turn"),
        );
        scene
            .panels
            .push(Panel::new(seat, "health", 100_u32.saturating_sub(turn * 3)).with_gauge(health));
        scene.panels.push(Panel::new(seat, "gold", turn * 7).changed("+7"));
        scene.panels.push(Panel::new(seat, "position", format!("{x:.0}")));
        scene.deeds[seat] = vec![
            format!("LOOK {turn}"),
            "walks along the wall and finds nothing".to_owned(),
            "one more line".to_owned(),
        ];
    }
    scene.panels.push(Panel::new(None, "visitors", turn + 3));
    let marks = match turn % 5 {
        1 => vec![Mark::event(Seat::First, "look")],
        2 => vec![Mark::event(Seat::Second, "look")],
        3 => vec![Mark::loss(Seat::Second, "lost"), Mark::warning(Seat::First, "careful")],
        4 => vec![
            Mark::fault(Seat::Second, "late"),
            Mark::new(MarkKind::Own, Some(Seat::First), "here"),
        ],
        _ => Vec::new(),
    };
    Frame { turn, scene, text: TextScene::default(), notes: Vec::new(), marks }
}

fn shapes(turn: u32, x: f64, width: f64, height: f64) -> Vec<Shape> {
    let middle = height / 2.0;
    let turned = f64::from(turn) * 15.0;
    let arrow = |x: f64, y: f64, turned: f64, is_mirrored: bool| Form::Symbol {
        symbol: 0,
        at: Point::new(x, y),
        size: 4.0,
        turned,
        is_mirrored,
    };
    let mut shapes = vec![
        Shape::new(10, 1, Form::circle((x, middle), 7.0), Style::fill(GLOW)),
        Shape::new(
            11,
            2,
            Form::circle((x, middle), 3.0),
            Style::fill(BLAST).outlined(Ink::Accent, 0.5),
        )
        .labelled("a blast & its <rim>"),
        Shape::new(12, 3, arrow(x + 8.0, middle - 6.0, turned, false), Style::fill(Ink::First)),
        Shape::new(13, 3, arrow(x + 8.0, middle + 6.0, 0.0, true), Style::fill(Ink::Second)),
        Shape::new(
            14,
            3,
            arrow(x + 18.0, middle + 6.0, 0.0, true),
            Style::fill(Ink::Second).faded(0.3),
        ),
        Shape::new(
            15,
            4,
            Form::chain([(5.0, 5.0), (20.0, 9.0), (width - 5.0, 6.0)]),
            Style::stroke(Ink::Second, 0.6).dashed(2.0),
        ),
        Shape::new(
            16,
            4,
            Form::polygon([(30.0, 4.0), (36.0, 4.0), (33.0, 9.0)]),
            Style::fill(VEIL).outlined(Ink::First, 0.4),
        ),
        Shape::new(
            17,
            4,
            Form::path("M40 4c4-4 8 8 12 0s-3 8-6 6z"),
            Style::fill(Ink::Accent).outlined(Ink::Text, 0.3).dashed(0.7).faded(0.6),
        ),
    ];
    shapes.extend(labels(turn, x, width, height));
    shapes
}

fn labels(turn: u32, x: f64, width: f64, height: f64) -> Vec<Shape> {
    let middle = height / 2.0;
    vec![
        text(18, Label::new((x, middle), 14.0, "−13").bold().shifted(0.0, -40.0), Ink::Loss),
        text(
            19,
            Label::new((x, middle), 14.0, "Ada 52")
                .bold()
                .shifted(-60.0, 50.0)
                .on(Plate::of(Seat::First).with_leader()),
            Ink::First,
        ),
        text(
            20,
            Label::new((x, middle), 14.0, "Grace 33")
                .shifted(70.0, 60.0)
                .on(Plate::of(Seat::Second).with_leader()),
            Ink::Second,
        ),
        text(
            21,
            Label::new((3.0, height - 4.0), 0.0, "sized").sized(2.5).anchored(Anchor::Start),
            Ink::Text,
        ),
        text(
            22,
            Label::new((width - 3.0, 12.0), 12.0, "in the corner").anchored(Anchor::End),
            Ink::Muted,
        )
        .roomy(),
        Shape::new(30, 1, Form::circle((f64::from(turn % 20), 10.0), 2.0), Style::fill(Ink::First))
            .on_plane(MAP),
    ]
}

fn text(id: u32, label: Label, ink: Ink) -> Shape {
    Shape::new(id, 5, label.into(), Style::fill(ink).with_halo(Ink::Ground))
}
