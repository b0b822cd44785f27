//! Extracts the worked examples from rules pages.

/// Value of an attribute in the text of a tag.
pub(crate) fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

/// Examples of a rules page.
pub(crate) fn examples(page: &str) -> Vec<(Vec<(String, String)>, String)> {
    let forms = page.split("<form class=\"notice example\"").skip(1).map(|form| form.split_once("</form>").unwrap().0);
    forms
        .map(|form| {
            let fields = form.split("<input type=\"hidden\" ").skip(1);
            let field = |text: &str| {
                let text = text.split('>').next().unwrap();
                (attribute(text, "name").unwrap().to_owned(), attribute(text, "value").unwrap().to_owned())
            };
            (fields.map(field).collect(), form.to_owned())
        })
        .collect()
}
