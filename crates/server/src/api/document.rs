//! The OpenAPI document: `schemas/api.json`, with the other schemas put into it, so that it refers to nothing outside.

use std::sync::OnceLock;

use axum::response::Response;
use quintain_registry::GAMES;
use serde_json::{Map, Value};

use super::{ApiAnswer, answer};
use crate::app::{Id, id_of};
use crate::error::Refusal;
use crate::schemas::{SCHEMAS, schema};

const TEXT: &str = include_str!("../../schemas/api.json");

/// The whole document.
pub(crate) fn document() -> &'static Value {
    static WHOLE: OnceLock<Value> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let mut document = parsed(TEXT);
        document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
        let games: Vec<&str> = GAMES.iter().map(|game| game.facts().id).collect();
        document["components"]["schemas"]["game-id"]["enum"] = games.into();
        refer_inwards(&mut document, None);
        let Some(components) = document["components"]["schemas"].as_object_mut() else {
            panic!("the document has schemas");
        };
        components.extend(SCHEMAS.map(|(name, text)| (name.to_owned(), component(name, text))));
        document
    })
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("schemas are JSON, as a test has it")
}

/// A schema as a part of the document.
fn component(name: &str, text: &str) -> Value {
    let mut schema = parsed(text);
    schema.as_object_mut().map(|fields: &mut Map<String, Value>| fields.remove("$schema"));
    refer_inwards(&mut schema, Some(name));
    schema
}

/// Lets references lead to where a schema is in the document: `scene.json#/$defs/mark`, and within `scene.json`
/// `#/$defs/mark`, to `#/components/schemas/scene/$defs/mark`.
fn refer_inwards(value: &mut Value, within: Option<&str>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref") {
                *reference = inward(reference, within);
            }
            fields.values_mut().for_each(|field| refer_inwards(field, within));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| refer_inwards(item, within)),
        _ => {}
    }
}

fn inward(reference: &str, within: Option<&str>) -> String {
    let (file, place) = reference.split_once('#').unwrap_or((reference, ""));
    match (file.strip_suffix(".json"), within) {
        (Some(name), _) => format!("#/components/schemas/{name}{place}"),
        (None, Some(name)) => format!("#/components/schemas/{name}{place}"),
        (None, None) => reference.to_owned(),
    }
}

pub(super) async fn send() -> Response {
    answer(document())
}

/// The other schemas by themselves.
pub(super) async fn send_schema(name: Id) -> ApiAnswer {
    let name = id_of(name)?;
    let known = SCHEMAS.map(|(known, _)| known);
    let found = known.contains(&name.as_str()).then(|| schema(&name)).flatten();
    let unknown =
        || Refusal::NotThere(format!("expected one of {}, found `{name}`", known.join(", ")));
    Ok(answer(&parsed(&found.ok_or_else(unknown)?)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::api::{PREFIX, ROUTES};

    #[test]
    fn the_document_has_every_route_and_no_other() {
        let paths = document()["paths"].as_object().expect("paths");
        let methods = |(path, item): (&String, &Value)| {
            let methods = item.as_object().expect("an item").keys();
            methods
                .filter(|method| *method != "parameters")
                .map(|method| format!("{method} {path}"))
                .collect::<Vec<_>>()
        };
        let documented: BTreeSet<String> = paths.iter().flat_map(methods).collect();
        let routed: BTreeSet<String> =
            ROUTES.iter().map(|route| format!("{} {PREFIX}{}", route.method, route.path)).collect();
        assert_eq!(documented, routed);
    }

    #[test]
    fn every_reference_leads_somewhere_within_the_document() {
        fn check(value: &Value) -> usize {
            let own = value.get("$ref").and_then(Value::as_str).map_or(0, |reference| {
                let place = reference.strip_prefix('#').unwrap_or(reference);
                assert!(document().pointer(place).is_some(), "{reference}");
                1
            });
            let parts: Vec<&Value> = match value {
                Value::Object(fields) => fields.values().collect(),
                Value::Array(items) => items.iter().collect(),
                _ => Vec::new(),
            };
            own + parts.into_iter().map(check).sum::<usize>()
        }
        assert!(check(document()) > 50);
    }

    #[test]
    fn every_parameter_of_a_path_is_described() {
        for (path, item) in document()["paths"].as_object().expect("paths") {
            let named: BTreeSet<&str> = path.split(['{', '}']).skip(1).step_by(2).collect();
            let described: BTreeSet<&str> = item["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|parameter| parameter["name"].as_str().expect("a name"))
                .collect();
            assert_eq!(named, described, "{path}");
        }
    }
}
