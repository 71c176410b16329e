#pragma once
// A page of the handbook as data. The window, the terminal, HTML pages and the tests all read this form.
//
// Markdown, of which only this is understood (and shown alike by GitHub):
//     # Title, ## Section, ### Part            `code`, **bold**, *emphasis*, [text](target), \* for a bare *
//     - item, 1. item (no nesting)             ![what it shows](pictures/name.png), alone on its line
//     | tables | with a head |                 ```sh blocks```, <!-- comments -->, which are left out

#include <string>
#include <string_view>
#include <vector>

namespace emergence::handbook {

struct Span {
    enum class Kind { text, bold, emphasis, code, link };
    Kind kind = Kind::text;
    std::string text;         // without its marks
    std::string target = {};  // of a link: "window.md#time", "../presets/td.toml", "https://..."
    bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

struct Block {
    enum class Kind { heading, paragraph, item, code, table, image };
    Kind kind = Kind::paragraph;
    int line = 0;                               // where it begins, from 1
    int level = 0;                              // of a heading: 1 to 3
    std::string marker = {};                    // of an item: "-", "1."
    std::string info = {};                      // of code: "sh run"
    std::string target = {};                    // of an image: "pictures/name.png"; of a heading: its anchor
    Spans spans = {};                           // of headings, paragraphs and items; what an image shows
    std::string text = {};                      // of code: its lines, each with its end
    std::vector<std::vector<Spans>> rows = {};  // of a table: cells, the head first, all rows of its length
};

struct Document {
    std::string name;   // "window"
    std::string title;  // "The window"
    std::vector<Block> blocks;
};

/// Never throws: what it does not understand is text.
Document parse_markdown(std::string_view name, std::string_view text);
/// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);
/// The marks inside of one paragraph.
Spans parse_spans(std::string_view text);

/// The text without marks.
std::string text_of(const Spans& spans);
/// All words of a block. A row of a table reads "first cell: second, third", and "; " separates the rows.
std::string text_of(const Block& block);
/// The first sentence of a page's first paragraph.
std::string summary_of(const Document& document);

/// GitHub's name of a heading in links: "Time, A and B" -> "time-a-and-b".
std::string anchor_of(std::string_view heading);
/// The heading's block with this anchor; nullptr if none.
const Block* section_of(const Document& document, std::string_view anchor);

/// A link's target in its parts: "window.md#time" -> "window.md" and "time".
struct Target {
    std::string file;
    std::string anchor;
};
Target target_of(std::string_view link);
/// "window" of "window.md", "lab/window.md" or "../window.md"; "" unless the link's file is a chapter.
std::string chapter_of(std::string_view link);
/// "td" of "../presets/td.toml"; "" for other links.
std::string preset_of(std::string_view link);
/// "tour" of "../lessons/tour.toml"; "" for other links.
std::string lesson_of(std::string_view link);

}  // namespace emergence::handbook
