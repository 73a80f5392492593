//! The parameters of a path.

/// The values of a path's parameters by their names, without percent-encoding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathParams(Vec<(&'static str, String)>);

impl PathParams {
    /// Adds a parameter.
    pub fn push(&mut self, name: &'static str, value: String) {
        self.0.push((name, value));
    }

    /// The value of the last parameter: mostly the id of the thing that the route is about.
    pub fn last(&self) -> Option<&str> {
        self.0.last().map(|(_, value)| value.as_str())
    }

    /// The value of a parameter. A test holds that a route's handler asks for parameters of the route's path only.
    pub fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value.as_str())
    }
}
