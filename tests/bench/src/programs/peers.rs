//! The programs written with other libraries, in the style of their documentation.

use super::Program;
use std::sync::LazyLock;

macro_rules! programs {
    ($($program:ident($document:ident) -> $output:ty { $($body:tt)* })*) => {
        $(
            pub(super) struct $program;

            impl Program for $program {
                type Output = $output;

                fn run($document: &str) -> $output {
                    $($body)*
                }
            }
        )*
    };
}

fn parse_selector(text: &str) -> scraper::Selector {
    scraper::Selector::parse(text).expect("the selector is valid")
}

programs! {
    Links(page) -> Vec<String> {
        let document = scraper::Html::parse_document(page);
        let link_selector = parse_selector("a[href]");
        let links = document.select(&link_selector).filter_map(|link| link.attr("href"));
        links.map(str::to_owned).collect()
    }

    Metadata(page) -> Vec<(String, String)> {
        let document = scraper::Html::parse_document(page);
        let selector = parse_selector("head title, meta:is([property^='og:'], [name=description])[content]");
        let to_entry = |element: scraper::ElementRef<'_>| match element.attr("content") {
            None => ("title".to_owned(), element.text().collect::<String>().trim().to_owned()),
            Some(content) => {
                let name = element.attr("property").or(element.attr("name"));
                (name.unwrap_or_default().to_owned(), content.to_owned())
            }
        };
        document.select(&selector).map(to_entry).collect()
    }

    Select(page) -> Vec<String> {
        let document = scraper::Html::parse_document(page);
        let link_selector = parse_selector("div.article > h2 a[href]");
        let links = document.select(&link_selector);
        links.filter_map(|link| link.attr("href")).map(str::to_owned).collect()
    }

    Tables(page) -> String {
        let [table, row, cell] = ["table", "tr", "th, td"].map(parse_selector);
        let (document, mut csv) = (scraper::Html::parse_document(page), String::new());
        for table in document.select(&table) {
            for row in table.select(&row) {
                let text = |cell: scraper::ElementRef<'_>| cell.text().collect::<String>();
                let cells = row.select(&cell).map(|cell| format!("\"{}\"", text(cell).trim().replace('"', "\"\"")));
                csv += &(cells.collect::<Vec<_>>().join(",") + "\r\n");
            }
        }
        csv
    }

    Sanitize(page) -> String {
        static SANITIZER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
            let mut builder = ammonia::Builder::default();
            builder.add_tags(["img"]).add_tag_attributes("img", ["src", "alt"]);
            builder.rm_tags(["table"]).rm_generic_attributes(["title"]);
            builder
        });
        SANITIZER.clean(page).to_string()
    }

    Rewrite(page) -> String {
        let image_handler = lol_html::element!("img[src]", |image| {
            let source = "https://cdn.example".to_owned() + &image.get_attribute("src").unwrap_or_default();
            image.set_attribute("src", &source)?;
            Ok(())
        });
        let settings = lol_html::RewriteStrSettings::new().append_element_content_handler(image_handler);
        lol_html::rewrite_str(page, settings.with_strict(false)).expect("no memory limit is set")
    }

    Text(page) -> String {
        html2text::from_read(page.as_bytes(), 120).unwrap_or_default()
    }

    Stream(page) -> String {
        use html5ever::tendril::TendrilSink;
        let sink = scraper::HtmlTreeSink::new(scraper::Html::new_document());
        let mut parser = html5ever::parse_document(sink, crate::html_trees::html5ever_options());
        let (mut decoder, mut text) = (encoding_rs::UTF_8.new_decoder(), String::with_capacity(32768));
        let mut chunks = page.as_bytes().chunks(8192).peekable();
        while let Some(chunk) = chunks.next() {
            text.clear();
            let _ = decoder.decode_to_string(chunk, &mut text, chunks.peek().is_none());
            parser.process(text.as_str().into());
        }
        parser.finish().root_element().text().collect()
    }

    Fragment(page) -> String {
        let document = dom_query::Document::fragment(page);
        for link in document.select("a[href^=http]").iter() {
            link.set_attr("rel", "nofollow");
            link.append_html(" ↗");
        }
        document.inner_html().to_string()
    }

    Lint(page) -> Vec<(String, tabulex::Position)> {
        let lines = tabulex::Lines::new(page);
        let emitter = html5gum::DefaultEmitter::<usize>::new_with_span();
        let tokens = html5gum::Tokenizer::new_with_emitter(page, emitter);
        let to_error = |token| match token {
            Ok(html5gum::Token::Error(error)) => {
                Some((error.value.as_str().to_owned(), lines.position(error.span.start)))
            }
            _ => None,
        };
        tokens.filter_map(to_error).collect()
    }

    Map(map) -> (Vec<(f64, f64)>, Vec<String>) {
        use quick_xml::{XmlVersion, events::Event};
        let (mut reader, mut points, mut names) = (quick_xml::Reader::from_str(map), vec![], vec![]);
        loop {
            match reader.read_event().expect("the document is well-formed") {
                Event::Start(tag) | Event::Empty(tag) => {
                    let value = |name: &str| {
                        let attribute = tag.try_get_attribute(name).expect("the document is well-formed")?;
                        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                        Some(value.expect("references are valid").into_owned())
                    };
                    let number = |name: &str| value(name).and_then(|text| text.parse().ok());
                    match tag.name().as_ref() {
                        "node" => points.extend(number("lat").zip(number("lon"))),
                        "tag" if value("k").as_deref() == Some("name") => names.extend(value("v")),
                        _ => {}
                    }
                }
                Event::Eof => return (points, names),
                _ => {}
            }
        }
    }

    Sitemap(map) -> Vec<(String, Option<String>)> {
        let document = roxmltree::Document::parse(map).expect("the document is well-formed");
        let text = |url: roxmltree::Node<'_, '_>, name| {
            let child = url.children().find(|child| child.tag_name().name() == name)?;
            Some(child.text().unwrap_or_default().trim().to_owned())
        };
        let urls = document.descendants().filter(|node| node.tag_name().name() == "url");
        urls.filter_map(|url| Some((text(url, "loc")?, text(url, "lastmod")))).collect()
    }
}
