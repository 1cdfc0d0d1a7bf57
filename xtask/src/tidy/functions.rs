//! How long a function may be.

use super::Finding;
use super::project::Project;
use super::scanner::{code_only, line_of, words};

/// From the line with `fn` to the line with the closing brace.
const FUNCTION_LINES_MAX: usize = 70;

struct Function<'a> {
    name: &'a str,
    line: usize,
    lines: usize,
}

/// No function, in tests neither, is longer than [`FUNCTION_LINES_MAX`].
pub(super) fn function_length(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in project.rust_files() {
        let code = code_only(&file.text);
        for function in functions(&code).filter(|function| function.lines > FUNCTION_LINES_MAX) {
            let wrong = format!("function `{}` has {} lines", function.name, function.lines);
            let expected = format!("at most {FUNCTION_LINES_MAX}");
            findings.push(file.finding(function.line, wrong, &expected));
        }
    }
    findings
}

/// Every function with a body, nested ones too. Types such as `fn(u8) -> u8` have no name and are
/// none.
fn functions(code: &str) -> impl Iterator<Item = Function<'_>> {
    words(code).filter(|(_, word)| *word == "fn").filter_map(|(start, word)| {
        let after = start + word.len();
        let name_start = after + code[after..].len() - code[after..].trim_start().len();
        let name = words(&code[name_start..]).next()?;
        // A macro may write `$` before the name.
        if !matches!(&code[name_start..name_start + name.0], "" | "$") {
            return None;
        }
        let close = name_start + body_end(&code[name_start..])?;
        let line = line_of(code, start);
        let lines = line_of(code, close) - line + 1;
        Some(Function { name: name.1, line, lines })
    })
}

/// The offset of the brace that closes the body; `None` for a declaration without one.
fn body_end(code: &str) -> Option<usize> {
    let mut nesting = 0_i32;
    let open = code.char_indices().find(|&(_, c)| {
        match c {
            '(' | '[' => nesting += 1,
            ')' | ']' => nesting -= 1,
            _ => {}
        }
        nesting == 0 && matches!(c, '{' | ';')
    });
    let (open, '{') = open? else { return None };
    let mut depth = 0_i32;
    let close = code[open..].char_indices().find(|&(_, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    Some(open + close?.0)
}

#[cfg(test)]
mod tests {
    use super::super::project::samples::check_lines;
    use super::*;

    /// A function of that many lines in all, whose signature stands on one line.
    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    #[test]
    fn the_limit_itself_is_allowed_and_one_more_is_not() {
        check_lines(function_length, "a.rs", &function(FUNCTION_LINES_MAX), &[]);
        check_lines(function_length, "a.rs", &function(FUNCTION_LINES_MAX + 1), &[1]);
        check_lines(function_length, "a.py", &function(FUNCTION_LINES_MAX + 1), &[]);
    }

    #[test]
    fn braces_in_text_do_not_end_a_function() {
        let filler = "    step(\"}\", '}', r#\"}\"#); // }\n".repeat(FUNCTION_LINES_MAX);
        check_lines(function_length, "a.rs", &format!("\nfn long() {{\n{filler}}}\n"), &[2]);
    }

    #[test]
    fn long_signatures_count_and_only_the_long_one_of_several_is_found() {
        let parameters = "    a: [u8; { 1 + 1 }],\n".repeat(FUNCTION_LINES_MAX);
        let source =
            format!("fn a() {{}}\nfn b(\n{parameters}) -> u8 {{\n    0\n}}\nfn c() {{}}\n");
        check_lines(function_length, "a.rs", &source, &[2]);
    }

    #[test]
    fn declarations_and_types_are_no_functions() {
        let filler = "const A: fn(u8) -> u8 = b;\n".repeat(FUNCTION_LINES_MAX);
        let source = format!("trait T {{\n    fn a(&self);\n{filler}}}\n");
        check_lines(function_length, "a.rs", &source, &[]);
    }

    #[test]
    fn functions_in_methods_macros_and_functions_are_all_measured() {
        let code = "impl A {\n fn b() {\n  fn c() {}\n }\n}\nmacro { fn $d() {\n\n} }";
        let found: Vec<_> = functions(code).map(|f| (f.name, f.line, f.lines)).collect();
        assert_eq!(found, [("b", 2, 3), ("c", 3, 1), ("d", 6, 3)]);
    }
}
