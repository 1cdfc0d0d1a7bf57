//! One figure, and what it stands beside.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Row {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// What the value should not exceed on any machine.
    #[serde(rename = "value_max", skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// What it is compared with, measured in the same run.
    #[serde(flatten)]
    pub beside: Option<Beside>,
    /// How much more than that, pair by pair.
    #[serde(flatten)]
    pub more: Option<More>,
}

impl Row {
    pub(crate) fn plain(name: impl Into<String>, value: f64, unit: &'static str) -> Row {
        Row { name: name.into(), value, unit, most: None, beside: None, more: None }
    }

    pub(crate) fn at_most(self, most: f64) -> Row {
        Row { most: Some(most), ..self }
    }

    pub(crate) fn beside(self, beside: Beside) -> Row {
        Row { beside: Some(beside), ..self }
    }

    pub(crate) fn more(self, more: More) -> Row {
        Row { more: Some(more), ..self }
    }
}

#[derive(Debug, Serialize)]
pub struct Beside {
    #[serde(rename = "beside")]
    pub what: &'static str,
    #[serde(rename = "beside_value")]
    pub value: f64,
    /// How many times the figure is worse than what it stands beside.
    pub ratio: f64,
    pub ratio_max: f64,
}

/// How much more a figure is than what was measured right beside it, again and again.
#[derive(Debug, Serialize)]
pub struct More {
    /// Half of the pairs differ by less.
    #[serde(rename = "more")]
    pub middle: f64,
    /// Between these two is the middle half of the pairs.
    #[serde(rename = "more_low")]
    pub low: f64,
    #[serde(rename = "more_high")]
    pub high: f64,
    #[serde(rename = "more_max")]
    pub most: f64,
}

impl More {
    /// Of the differences of pairs, and how large one may be.
    pub(crate) fn of(mut differences: Vec<f64>, most: f64) -> More {
        differences.sort_by(f64::total_cmp);
        let at = |part: usize| differences[(differences.len() - 1) * part / 4];
        More { middle: at(2), low: at(1), high: at(3), most }
    }
}
