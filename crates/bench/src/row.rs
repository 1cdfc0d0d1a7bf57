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
}

impl Row {
    pub(crate) fn plain(name: impl Into<String>, value: f64, unit: &'static str) -> Row {
        Row { name: name.into(), value, unit, most: None, beside: None }
    }

    pub(crate) fn at_most(self, most: f64) -> Row {
        Row { most: Some(most), ..self }
    }

    pub(crate) fn beside(self, beside: Beside) -> Row {
        Row { beside: Some(beside), ..self }
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
