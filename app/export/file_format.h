#pragma once
// What Cairo leaves out of SVG and PNG files: text as text, metadata, stable names, the resolution.

#include <string>

#include "app/export/canvas.h"

namespace emergence::page {

/// A line as it is set: unseen characters are spelled, and a letter's index is low: "TD(α_l)" has a small l.
std::string set_text(const std::string& line);

/// Where a line of text goes: `shift` and `width` along the line, from `baseline`.
struct TextPlace {
    Point baseline;
    double shift = 0.0;
    double width = 0.0;
    int quarter_turns = 0;  // anticlockwise
};

/// One <text> element. It states its width, so that a substitute font cannot make it overlap its neighbours.
std::string svg_text_element(const std::string& line, const TextPlace& place, const TextStyle& style);

/// Cairo's SVG with `text_elements` above the drawing, title and configuration, and with names that do not
/// depend on what else the program has drawn.
std::string finished_svg(const std::string& svg, const std::string& text_elements, const Metadata& metadata);

/// A chunk of a PNG file: length, type, data and checksum.
std::string png_chunk(const std::string& type, const std::string& data);

/// Cairo's PNG with its resolution, title and configuration (iTXt chunks).
std::string finished_png(const std::string& png, double dots_per_inch, const Metadata& metadata);

}  // namespace emergence::page
