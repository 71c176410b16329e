#include "core/pictures/pen.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/base/text.h"

namespace emergence {
namespace {

/// A colour in OKLab.
struct Lab {
    double lightness = 0.0, a = 0.0, b = 0.0;
};

Lab to_lab(const Lch& color) {
    const double angle = color.hue * std::numbers::pi / 180.0;
    return {color.lightness, color.chroma * std::cos(angle), color.chroma * std::sin(angle)};
}

constexpr int kRampSteps = 256;  // from zero to the limit

uint8_t encode(double linear) {
    const double c = std::clamp(linear, 0.0, 1.0);
    const double srgb = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
    return static_cast<uint8_t>(std::lround(255.0 * srgb));
}

Rgb to_rgb(const Lab& color) {
    const auto [lightness, a, b] = color;
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// The piecewise linear curve through equidistant `anchors`, at `t` in 0..1.
Lab interpolate(std::span<const Lch> anchors, double t) {
    const double position = t * static_cast<double>(anchors.size() - 1);
    const auto left = std::min(static_cast<size_t>(position), anchors.size() - 2);
    const double w = position - static_cast<double>(left);
    const Lab a = to_lab(anchors[left]);
    const Lab b = to_lab(anchors[left + 1]);
    return {std::lerp(a.lightness, b.lightness, w), std::lerp(a.a, b.a, w), std::lerp(a.b, b.b, w)};
}

// A search found these colours. It maximised the smallest OKLab distance between any two under normal vision,
// protanopia and deuteranopia, and kept each hue near its name. palette_test.cpp checks the distances.
constexpr Lch kCategoricalLight[kNumCategorical] = {{0.52, 0.154, 262}, {0.61, 0.142, 55},   {0.40, 0.080, 156},
                                                    {0.68, 0.100, 342}, {0.77, 0.150, 77},   {0.75, 0.120, 235},
                                                    {0.38, 0.175, 294}, {0.52, 0.000, 0},    {0.265, 0.030, 32},
                                                    {0.22, 0.150, 272}, {0.655, 0.180, 272}, {0.79, 0.060, 136}};
constexpr Lch kCategoricalDark[kNumCategorical] = {{0.70, 0.149, 260}, {0.66, 0.152, 58},  {0.90, 0.125, 167},
                                                   {0.59, 0.110, 346}, {0.85, 0.170, 93},  {0.83, 0.120, 222},
                                                   {0.57, 0.175, 290}, {0.72, 0.000, 0},   {0.525, 0.120, 40},
                                                   {0.45, 0.210, 296}, {0.45, 0.120, 320}, {0.96, 0.210, 112}};

// The first and last colour of a course, in the light and in the dark theme.
struct CourseEnds {
    std::array<Lch, 2> light, dark;
};
constexpr std::array<CourseEnds, 2> kCourses = {
    {{{{{0.70, 0.110, 222}, {0.36, 0.160, 272}}}, {{{0.88, 0.080, 212}, {0.58, 0.170, 266}}}},
     {{{{0.72, 0.140, 62}, {0.42, 0.155, 20}}}, {{{0.86, 0.110, 70}, {0.58, 0.190, 20}}}}}};
constexpr int kFirstOrdinal = 1000, kMostOrdered = 64;

// The colour of a number that ordinal_color made. A single thing gets the middle of its course.
Rgb ordinal(int number, Theme theme) {
    const int count = number % kMostOrdered + 1, i = number / kMostOrdered % kMostOrdered;
    const auto course = std::min(static_cast<size_t>(number / kMostOrdered / kMostOrdered), kCourses.size() - 1);
    const auto& ends = theme == Theme::light ? kCourses[course].light : kCourses[course].dark;
    const double t = count == 1 ? 0.5 : static_cast<double>(i) / (count - 1);
    // Interpolate in OKLCh, not in OKLab, so that the middle stays as colourful as the ends.
    return to_rgb(to_lab({std::lerp(ends[0].lightness, ends[1].lightness, t),
                          std::lerp(ends[0].chroma, ends[1].chroma, t), std::lerp(ends[0].hue, ends[1].hue, t)}));
}

/// Lightness and chroma at |t| = 0, 1/4, 1/2, 3/4, 1.
using Flank = std::array<Lch, 5>;

// Lightness is linear in |t|; chroma rises fast and falls where sRGB's gamut narrows.
constexpr Flank kOnLight = {
    {{0.965, 0.0, 0}, {0.83, 0.075, 0}, {0.695, 0.150, 0}, {0.56, 0.165, 0}, {0.425, 0.133, 0}}};
constexpr Flank kOnDark = {
    {{0.245, 0.0, 0}, {0.385, 0.085, 0}, {0.525, 0.150, 0}, {0.665, 0.155, 0}, {0.805, 0.098, 0}}};

/// A diverging map whose sides differ only in hue.
std::vector<Lch> mirrored(const Flank& flank, double negative_hue, double positive_hue) {
    std::vector<Lch> points;
    for (size_t i = flank.size(); i-- > 1;) points.push_back({flank[i].lightness, flank[i].chroma, negative_hue});
    for (const Lch& point : flank) points.push_back({point.lightness, point.chroma, positive_hue});
    return points;
}

}  // namespace

int in_dashes(int color, int dashes) { return color % kDashedColors + dashes * kDashedColors; }

int repeats_of(int color) {
    const int plain = color < 0 ? 0 : color % kDashedColors;
    return plain < kFirstOrdinal ? plain / kNumCategorical : 0;
}

int dashes_of(int color) { return color < 0 ? 0 : color / kDashedColors + repeats_of(color); }

std::span<const double> dash_pattern(int dashes) {
    static const std::vector<std::vector<double>> patterns = [] {
        // The usual dashes, dots, a dash and a dot, a dash and two dots, long dashes.
        std::vector<std::vector<double>> all = {
            {1.0, 1.0}, {0.35, 0.65}, {1.8, 0.6, 0.35, 0.6}, {1.2, 0.5, 0.35, 0.5, 0.35, 0.5}, {2.4, 0.8}};
        // The others have one to seven dashes, then three to six dots, so no two patterns look alike.
        for (int i = 0; all.size() < kDashPatterns; ++i) {
            std::vector<double>& pattern = all.emplace_back();
            for (int dash = 0; dash < 1 + i / 4; ++dash) pattern.insert(pattern.end(), {1.8, 0.5});
            for (int dot = 0; dot < 3 + i % 4; ++dot) pattern.insert(pattern.end(), {0.35, 0.5});
        }
        return all;
    }();
    return patterns[static_cast<size_t>(((dashes % kDashPatterns) + kDashPatterns) % kDashPatterns)];
}

int ordinal_color(Course course, int i, int count) {
    const int last = std::clamp(count, 1, kMostOrdered) - 1;
    return kFirstOrdinal + (static_cast<int>(course) * kMostOrdered + std::clamp(i, 0, last)) * kMostOrdered + last;
}

int other_course(int color) {
    constexpr int kCourse = kMostOrdered * kMostOrdered;  // numbers of a course
    const int number = color - kFirstOrdinal;
    if (number < 0 || number >= static_cast<int>(kCourses.size()) * kCourse) return color;
    return kFirstOrdinal + (number + kCourse) % (static_cast<int>(kCourses.size()) * kCourse);
}

Rgb categorical(int index, Theme theme) {
    if (index >= kDashedColors) index %= kDashedColors;
    if (index >= kFirstOrdinal) return ordinal(index - kFirstOrdinal, theme);
    const int wrapped = ((index % kNumCategorical) + kNumCategorical) % kNumCategorical;
    const auto& table = theme == Theme::light ? kCategoricalLight : kCategoricalDark;
    return to_rgb(to_lab(table[wrapped]));
}

Rgb color_of(const ColorMap& map, double t, Theme theme) {
    if (std::isnan(t)) return missing(theme);
    const std::vector<Lch>& anchors = theme == Theme::light ? map.light : map.dark;
    return to_rgb(interpolate(anchors, std::clamp(map.diverging ? (t + 1.0) / 2.0 : t, 0.0, 1.0)));
}

ColorRamp::ColorRamp(const ColorMap& map, Theme theme)
    : diverging_(map.diverging), missing_(emergence::missing(theme)) {
    for (int i = map.diverging ? -kRampSteps : 0; i <= kRampSteps; ++i)
        colors_.push_back(color_of(map, static_cast<double>(i) / kRampSteps, theme));
}

Rgb ColorRamp::operator()(double t) const {
    if (std::isnan(t)) return missing_;
    const double low = diverging_ ? -1.0 : 0.0;
    return colors_[static_cast<size_t>(std::lround((std::clamp(t, low, 1.0) - low) * kRampSteps))];
}

bool is_bright(Rgb ground) {
    const auto decode = [](uint8_t byte) { return std::pow(byte / 255.0, 2.2); };
    const double luminance = 0.2126 * decode(ground.r) + 0.7152 * decode(ground.g) + 0.0722 * decode(ground.b);
    return luminance > 0.18;  // where black and white contrast about equally (WCAG 2)
}

Rgb missing(Theme theme) { return to_rgb(to_lab({theme == Theme::light ? 0.80 : 0.42, 0.0, 0.0})); }

// The control points are our own. The hues follow Moreland's cool-warm (2009) and ColorBrewer's RdBu.
const ColorMap& diverging_map() {
    static const ColorMap map{true, mirrored(kOnLight, 258, 38), mirrored(kOnDark, 258, 38)};
    return map;
}

// The hues follow ColorBrewer's YlGnBu.
const ColorMap& sequential_map() {
    static const std::vector<Lch> from_dark = {
        {0.225, 0.030, 285}, {0.40, 0.120, 268}, {0.575, 0.100, 225}, {0.75, 0.110, 170}, {0.935, 0.110, 112}};
    static const ColorMap map{false, {from_dark.rbegin(), from_dark.rend()}, from_dark};
    return map;
}

/// Length of the longest prefix of `word` (at least one character) no wider than `limit`.
static size_t fitting_prefix(const TextRuler& ruler, const std::string& word, const TextStyle& style, double limit) {
    size_t fits = 0;
    for (size_t end = 1; end <= word.size(); ++end) {
        if (end < word.size() && continues_character(word[end])) continue;
        if (fits > 0 && ruler.text_width(word.substr(0, end), style) > limit) break;
        fits = end;
    }
    return fits;
}

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

// True if a segment lies wholly on one side of `rect`, as most do.
static bool passes_by(Point from, Point to, const Rect& rect) {
    return (from.x < rect.x && to.x < rect.x) || (from.x > rect.right() && to.x > rect.right()) ||
           (from.y < rect.y && to.y < rect.y) || (from.y > rect.bottom() && to.y > rect.bottom());
}

/// Length of the part of a segment that lies in `rect`: the parameter range that survives all four sides.
static double length_inside(Point from, Point to, const Rect& rect) {
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

static bool has_inside(const std::vector<Point>& polygon, Point p) {
    bool inside = false;
    for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Point& a = polygon[i];
        const Point& b = polygon[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}

static bool has_inside(const Rect& rect, Point p) {
    return p.x >= rect.x && p.x <= rect.right() && p.y >= rect.y && p.y <= rect.bottom();
}

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

constexpr std::pair<std::string_view, const char*> kGreekLetters[] = {
    {"alpha", "α"}, {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
    {"theta", "θ"}, {"lambda", "λ"}, {"mu", "μ"},    {"pi", "π"},    {"rho", "ρ"},
    {"sigma", "σ"}, {"tau", "τ"},    {"phi", "φ"},   {"Phi", "Φ"},   {"Sigma", "Σ"}};

static std::string letter_for(std::string_view word) {
    for (const auto& [name, letter] : kGreekLetters)
        if (word == name) return letter;
    return std::string(word);
}

// Whether this is the hyphen of a negative number in a text, not that of "1e-5" or "2-3".
static bool is_minus(std::string_view text, size_t at) {
    const bool begins = at == 0 || std::string_view(" ([\n\t").find(text[at - 1]) != std::string_view::npos;
    return text[at] == '-' && begins && at + 1 < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0;
}

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
