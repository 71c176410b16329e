#include "core/pictures/pen.h"

#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/text.h"

namespace emergence {
namespace {

/// Length of the longest prefix of `word` (at least one character) no wider than `limit`.
size_t fitting_prefix(const TextRuler& ruler, const std::string& word, const TextStyle& style, double limit) {
    size_t fits = 0;
    for (size_t end = 1; end <= word.size(); ++end) {
        if (end < word.size() && continues_character(word[end])) continue;
        if (fits > 0 && ruler.text_width(word.substr(0, end), style) > limit) break;
        fits = end;
    }
    return fits;
}

}  // namespace

std::vector<std::string> TextRuler::wrap(const std::string& text, const TextStyle& style, double limit) const {
    std::vector<std::string> lines;
    size_t begin = 0;
    while (begin < text.size()) {
        const size_t paragraph_end = std::min(text.find('\n', begin), text.size());
        std::string line;
        while (begin < paragraph_end) {
            const size_t word_end = std::min(text.find(' ', begin), paragraph_end);
            std::string word = text.substr(begin, word_end - begin);
            const std::string longer = line.empty() ? word : line + " " + word;
            if (text_width(longer, style) <= limit) {
                line = longer;
            } else {
                if (!line.empty()) lines.push_back(line);
                while (text_width(word, style) > limit) {
                    const size_t fits = fitting_prefix(*this, word, style, limit);
                    if (fits == word.size()) break;
                    lines.push_back(word.substr(0, fits));
                    word.erase(0, fits);
                }
                line = word;
            }
            begin = word_end + 1;
        }
        lines.push_back(line);
        begin = paragraph_end + 1;
    }
    return lines;
}

double TextRuler::widest(const std::vector<std::string>& lines, const TextStyle& style) const {
    double most = 0.0;
    for (const std::string& line : lines) most = std::max(most, text_width(line, style));
    return most;
}

std::vector<std::string> TextRuler::wrap_words(const std::string& text, const TextStyle& style, double limit) const {
    for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = std::min(text.find_first_of(" \n", begin), text.size());
        limit = std::max(limit, text_width(text.substr(begin, end - begin), style));
    }
    return wrap(text, style, limit);
}

namespace {

// True if a segment lies wholly on one side of `rect`, as most do.
bool passes_by(Point from, Point to, const Rect& rect) {
    return (from.x < rect.x && to.x < rect.x) || (from.x > rect.right() && to.x > rect.right()) ||
           (from.y < rect.y && to.y < rect.y) || (from.y > rect.bottom() && to.y > rect.bottom());
}

/// Length of the part of a segment that lies in `rect`: the parameter range that survives all four sides.
double length_inside(Point from, Point to, const Rect& rect) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    double enters = 0.0, leaves = 1.0;
    const auto cut = [&](double speed, double room) {  // keep t with speed * t <= room
        if (speed == 0.0) {
            if (room < 0.0) leaves = -1.0;
        } else if (speed > 0.0) {
            leaves = std::min(leaves, room / speed);
        } else {
            enters = std::max(enters, room / speed);
        }
    };
    cut(-dx, from.x - rect.x);
    cut(dx, rect.right() - from.x);
    cut(-dy, from.y - rect.y);
    cut(dy, rect.bottom() - from.y);
    return leaves > enters ? (leaves - enters) * std::hypot(dx, dy) : 0.0;
}

bool has_inside(const std::vector<Point>& polygon, Point p) {
    bool inside = false;
    for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Point& a = polygon[i];
        const Point& b = polygon[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}

bool has_inside(const Rect& rect, Point p) {
    return p.x >= rect.x && p.x <= rect.right() && p.y >= rect.y && p.y <= rect.bottom();
}

}  // namespace

double Obstacles::covered_by(const Rect& rect) const {
    double covered = 0.0;
    for (const std::vector<Point>& line : lines) {
        // A line of one point is drawn as a dot.
        if (line.size() == 1 && has_inside(rect, line[0])) covered += 5.0;
        for (size_t i = 1; i < line.size(); ++i)
            if (!passes_by(line[i - 1], line[i], rect)) covered += length_inside(line[i - 1], line[i], rect);
    }
    // Where no edge of an area crosses the rectangle, its middle speaks for all of it.
    for (const std::vector<Point>& area : areas)
        if (!area.empty() && has_inside(area, rect.center())) covered += rect.width;
    // Text over text cannot be read, over any number of lines it can.
    constexpr double kOverText = 1e3;
    for (const Rect& box : boxes)
        if (box.overlaps(rect)) covered += kOverText * (rect.width + rect.height);
    return covered;
}

std::vector<double> place_side_by_side(const std::vector<double>& centers, const std::vector<double>& extents,
                                       double length, double gap) {
    const size_t n = centers.size();
    std::vector<double> starts(n);
    const double room = length - gap * (n > 0 ? static_cast<double>(n - 1) : 0.0);
    double end = -gap;
    if (std::accumulate(extents.begin(), extents.end(), 0.0) > room) {
        end = -std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < n; ++i) {
            starts[i] = centers[i] - extents[i] / 2;
            if (starts[i] < end + gap)
                starts[i] = std::numeric_limits<double>::quiet_NaN();
            else
                end = starts[i] + extents[i];
        }
        return starts;
    }
    for (size_t i = 0; i < n; ++i) {
        starts[i] = std::max(centers[i] - extents[i] / 2, end + gap);
        end = starts[i] + extents[i];
    }
    double limit = length;
    for (size_t i = n; i-- > 0;) {
        starts[i] = std::min(starts[i], limit - extents[i]);
        limit = starts[i] - gap;
    }
    return starts;
}

namespace {

constexpr std::pair<std::string_view, const char*> kGreekLetters[] = {
    {"alpha", "α"}, {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
    {"theta", "θ"}, {"lambda", "λ"}, {"mu", "μ"},    {"pi", "π"},    {"rho", "ρ"},
    {"sigma", "σ"}, {"tau", "τ"},    {"phi", "φ"},   {"Phi", "Φ"},   {"Sigma", "Σ"}};

std::string letter_for(std::string_view word) {
    for (const auto& [name, letter] : kGreekLetters)
        if (word == name) return letter;
    return std::string(word);
}

// Whether this is the hyphen of a negative number in a text, not that of "1e-5" or "2-3".
bool is_minus(std::string_view text, size_t at) {
    const bool begins = at == 0 || std::string_view(" ([\n\t").find(text[at - 1]) != std::string_view::npos;
    return text[at] == '-' && begins && at + 1 < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0;
}

}  // namespace

std::string greek(std::string_view label) {
    std::string result;
    for (size_t i = 0, end = 0; i < label.size(); i = end) {
        for (end = i; end < label.size() && std::isalpha(static_cast<unsigned char>(label[end])) != 0;) ++end;
        const bool word = end > i, arrow = label.substr(i, 2) == "<-";
        if (word)
            result += letter_for(label.substr(i, end - i));
        else if (label[i] == '\'')
            result += "′";
        else if (arrow)
            result += "←";
        else if (is_minus(label, i))
            result += "−";
        else
            result += label[i];
        end += word ? 0 : arrow ? 2 : 1;
    }
    return result;
}

}  // namespace emergence
