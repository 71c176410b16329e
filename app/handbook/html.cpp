#include "app/handbook/html.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "app/handbook/chapters.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence::handbook {
namespace {

constexpr const char* kPageStyle = R"(
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --accent: #1d4ed8; }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 52rem);
  gap: 0 3rem; padding: 0 1.5rem; background: #fff; color: #1b1f24; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem 0; }
nav a { display: block; padding: .2rem .6rem; border-radius: 4px; color: inherit; text-decoration: none; }
nav a:hover { background: var(--soft); } nav a[aria-current] { background: var(--soft); font-weight: 600; }
main { padding: 1rem 0 4rem; } a { color: var(--accent); }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { margin-top: 1.8rem; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 4px; } figure { margin: 1.5rem 0; }
figcaption { font-size: .9rem; opacity: .8; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; } pre { padding: .8rem 1rem; overflow-x: auto; } pre code { padding: 0; background: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
@media (prefers-color-scheme: dark) { :root { --accent: #8ab4ff; } body { background: #15181c; color: #dfe3e8; } }
@media (max-width: 50rem) { body { display: block; } nav { position: static; max-height: none; } }
@media print { nav { display: none; } body { display: block; } }
)";

// Links to chapters lead to their pages. Links to presets and lessons show the command that opens them. A source file
// has no page in this folder, so only its name remains.
std::string html_link(const Span& span) {
    const Target target = target_of(span.target);
    const std::string text = markup_text(span.text);
    if (const std::string preset = preset_of(span.target); !preset.empty())
        return fmt::format("{} (<code>emergence --preset {}</code>)", text, markup_text(preset));
    if (!lesson_of(span.target).empty())
        return fmt::format("{} (<code>emergence assets/lessons/{}.toml</code>)", text,
                           markup_text(lesson_of(span.target)));
    const std::string hash = target.anchor.empty() ? "" : "#" + target.anchor;
    std::string place;
    if (const std::string chapter = chapter_of(span.target); !chapter.empty())
        place = chapter + ".html" + hash;
    else if (span.target.starts_with("https://"))
        place = span.target;
    else if (target.file.empty())
        place = hash;
    else
        return fmt::format("<code>{}</code>", text);
    return fmt::format("<a href=\"{}\">{}</a>", markup_text(place), text);
}

std::string html_spans(const Spans& spans) {
    constexpr const char* kTags[] = {"", "strong", "em", "code"};
    std::string html;
    for (const Span& span : spans) {
        if (span.kind == Span::Kind::link)
            html += html_link(span);
        else if (span.kind == Span::Kind::text)
            html += markup_text(span.text);
        else
            html += fmt::format("<{0}>{1}</{0}>", kTags[static_cast<size_t>(span.kind)], markup_text(span.text));
    }
    return html;
}

std::string html_table(const Block& table) {
    std::string html = "<div class=\"table\"><table>\n";
    const char* cell = "th";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (const Spans& spans : row) html += fmt::format("<{0}>{1}</{0}>", cell, html_spans(spans));
        html += "</tr>\n";
        cell = "td";
    }
    return html + "</table></div>\n";
}

std::string html_block(const Block& block) {
    switch (block.kind) {
        case Block::Kind::heading:
            return fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", block.level, markup_text(block.target),
                               html_spans(block.spans));
        case Block::Kind::code:
            return fmt::format("<pre><code>{}</code></pre>\n", markup_text(block.text));
        case Block::Kind::table:
            return html_table(block);
        case Block::Kind::image:
            return fmt::format("<figure><img src=\"{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>\n",
                               markup_text(block.target), markup_text(text_of(block.spans)), html_spans(block.spans));
        case Block::Kind::item:
            return fmt::format("<li>{}</li>\n", html_spans(block.spans));
        case Block::Kind::paragraph:
            break;
    }
    return fmt::format("<p>{}</p>\n", html_spans(block.spans));
}

// Returns "ul" or "ol" for an item, or "" for other blocks.
std::string list_tag(const Block& block) {
    if (block.kind != Block::Kind::item) return "";
    return block.marker == "-" ? "ul" : "ol";
}

std::string html_body(const Document& page) {
    std::string html, open;
    for (const Block& block : page.blocks) {
        const std::string list = list_tag(block);
        if (list != open && !open.empty()) html += "</" + open + ">\n";
        if (list != open && !list.empty()) html += "<" + list + ">\n";
        open = list;
        html += html_block(block);
    }
    return open.empty() ? html : html + "</" + open + ">\n";
}

std::string html_whole(const std::string& title, const std::string& current, const std::string& body,
                       const std::vector<Document>& chapters) {
    std::string list = "<a href=\"index.html\"><strong>Emergence</strong></a>\n";
    for (const Document& chapter : chapters)
        if (!in_lab_book(chapter.name) || chapter.name == current)
            list += fmt::format("<a href=\"{}.html\"{}>{}</a>\n", markup_text(chapter.name),
                                chapter.name == current ? " aria-current=\"page\"" : "", markup_text(chapter.title));
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{} – Emergence</title>\n"
        "<style>{}</style>\n</head>\n<body>\n<nav>\n{}</nav>\n<main>\n{}</main>\n</body>\n</html>\n",
        markup_text(title), kPageStyle, list, body);
}

}  // namespace

std::string html_page(const Document& page, const std::vector<Document>& chapters) {
    return html_whole(page.title, page.name, html_body(page), chapters);
}

std::string html_index(const std::vector<Document>& chapters) {
    std::string body = "<h1>The handbook of Emergence</h1>\n";
    bool lab = false;
    for (const Document& chapter : chapters) {
        if (in_lab_book(chapter.name) && !std::exchange(lab, true)) body += "<h2>Lab book</h2>\n";
        body += fmt::format("<p><a href=\"{}.html\">{}</a><br>{}</p>\n", markup_text(chapter.name),
                            markup_text(chapter.title), markup_text(summary_of(chapter)));
    }
    return html_whole("Handbook", "", body, chapters);
}

void write_html(const std::filesystem::path& assets, const std::filesystem::path& folder) {
    constexpr size_t kMostPictureBytes = size_t{1} << 26;
    const std::vector<Document> chapters = read_chapters(assets);
    std::map<std::string, std::string> files = {{"index.html", html_index(chapters)}};  // by name in the folder
    for (const Document& chapter : chapters) {
        files[chapter.name + ".html"] = html_page(chapter, chapters);
        for (const Block& block : chapter.blocks) {
            if (block.kind != Block::Kind::image) continue;
            if (!block.target.starts_with("pictures/") || block.target.find("..") != std::string::npos)
                throw InputError("{}.md:{}: picture '{}'. Pictures are in the folder 'pictures'.", chapter.name,
                                 block.line, block.target);
            files[block.target] = as_text(read_file(handbook_folder(assets) / block.target, kMostPictureBytes));
        }
    }
    make_folder(folder / "pictures");
    for (const auto& [name, bytes] : files) write_file(folder / name, std::string_view(bytes));
}

}  // namespace emergence::handbook
