#pragma once
// Holds a page of the handbook as data. The window, the terminal, HTML pages and the tests all read this form.
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
    int line = 0;                               // the line where it begins, counted from 1
    int level = 0;                              // from 1 to 3 for a heading
    std::string marker = {};                    // "-" or "1." for an item
    std::string info = {};                      // "sh run", for example, for code
    std::string target = {};                    // "pictures/name.png" for an image, and the anchor for a heading
    Spans spans = {};                           // for headings, paragraphs and items; for an image what it shows
    std::string text = {};                      // for code its lines, each with its end
    std::vector<std::vector<Spans>> rows = {};  // for a table its cells, the head first, all rows of equal length
};

struct Document {
    std::string name;   // "window"
    std::string title;  // "The window"
    std::vector<Block> blocks;
};

/// Parses a page. It never throws, and takes what it does not understand as text.
Document parse_markdown(std::string_view name, std::string_view text);
/// Splits a text into lines without their ends.
std::vector<std::string_view> lines_of(std::string_view text);
/// Parses the marks inside one paragraph.
Spans parse_spans(std::string_view text);

/// Returns the text without marks.
std::string text_of(const Spans& spans);
/// Returns all words of a block. A row of a table reads "first cell: second, third", and "; " separates the rows.
std::string text_of(const Block& block);
/// Returns the first sentence of a page's first paragraph.
std::string summary_of(const Document& document);

/// Returns GitHub's name of a heading in links, as "time-a-and-b" for "Time, A and B".
std::string anchor_of(std::string_view heading);
/// Returns the heading's block with this anchor, or nullptr.
const Block* section_of(const Document& document, std::string_view anchor);

/// Splits a link's target, as "window.md#time" into "window.md" and "time".
struct Target {
    std::string file;
    std::string anchor;
};
Target target_of(std::string_view link);
/// Returns "window" for "window.md", "lab/window.md" or "../window.md", or "" if the link's file is not a chapter.
std::string chapter_of(std::string_view link);
/// Returns "td" for "../presets/td.toml", or "" for other links.
std::string preset_of(std::string_view link);
/// Returns "tour" for "../lessons/tour.toml", or "" for other links.
std::string lesson_of(std::string_view link);

}  // namespace emergence::handbook
