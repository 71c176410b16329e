#include "app/export/export.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "core/base/error.h"
#include "core/pictures/plot.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

constexpr FileFormat kFormats[] = {FileFormat::pdf, FileFormat::svg, FileFormat::png};

PlotSpec plot() {
    PlotSpec spec;
    spec.title = "Similarity";
    spec.x.label = "MRPs";
    spec.y.label = "loss";
    spec.y.unit = "nats";
    spec.series.push_back({"value difference", {0, 1, 2}, {{1, 2, 3}, {2, kMissing, 5}}, 0, false});
    spec.series.push_back({"batch TD <ref>", {0, 1, 2}, {{2, 2, 2}}, 1, true});
    spec.lines = {{"best linear", 2.5, false}, {"trained n", 1.0, true}};
    return spec;
}

HeatmapSpec sample_heatmap() {
    HeatmapSpec spec;
    spec.title = "Q₀";
    spec.values = Table(3, 3, 0.5);
    spec.values(1, 1) = kMissing;
    spec.values(0, 2) = -1.0;
    spec.row_blocks = {{"φ", 2}, {"R", 1}};
    spec.column_blocks = {{"γφ′", 2}, {"R", 1}};
    spec.norm = 8.25;
    spec.norm_reference = 0.5;
    spec.note = "aligned";
    return spec;
}

// Every kind of shape.
DrawingSpec drawing() {
    DrawingSpec spec;
    spec.id = "world";
    spec.title = "A drawn world";
    spec.shapes = {drawn_box({0.1, 0.1}, {0.4, 0.4}, 0), drawn_disc({0.7, 0.3}, 0.1, 1),
                   drawn_arrow({0.1, 0.8}, {0.9, 0.8}, kInkColor), drawn_label({0.5, 0.6}, "state 7"),
                   drawn_line({{0.0, 0.0}, {1.0, 0.0}}, kFaintColor)};
    spec.shapes.back().dashed = true;
    spec.numbers = {{"theta", 0.125, "rad"}};
    spec.readout = "theta is an eighth";
    return spec;
}

FigureSpec figure() {
    FigureSpec spec;
    spec.name = "both";
    spec.title = "Both kinds & more";
    spec.caption = "30 seeds, version 1";
    spec.column_weights = {1, 2};
    spec.row_weights = {1};
    spec.cells = {{sample_heatmap(), 0, 0}, {plot(), 0, 1}};
    spec.config = "gamma = 0.9\nnote = \"a -- <b> & c\"\n";
    return spec;
}

/// What the program prints; "" where it is not installed.
std::string output_of(const std::string& command) {
    std::string output;
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) return output;
    char buffer[4096];
    for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
    pclose(pipe);
    return output;
}

}  // namespace

TEST_CASE("PDF holds every label as text") {
    const testing::Scratch folder;
    DrawnFigure(figure()).write(folder / "f.pdf", FileFormat::pdf);
    const std::string text = output_of("pdftotext -layout '" + (folder / "f.pdf").string() + "' -");
    if (text.empty()) {
        MESSAGE("pdftotext is not installed: not checked");
        return;
    }
    testing::check_holds(text, {"Both kinds & more", "30 seeds, version 1", "Similarity", "MRPs", "value difference",
                                "batch TD <ref>", "best linear", "Q₀", "φ", "γφ′", "norm 8.25", "aligned"});
}

TEST_CASE("files carry title and configuration") {
    testing::check_holds(render_figure(figure(), FileFormat::svg),
                         {"<title>Both kinds &amp; more</title>",
                          "<metadata id=\"emergence-config\">gamma = 0.9\nnote = &quot;a -- &lt;b&gt; &amp; "
                          "c&quot;\n</metadata>"});
    testing::check_holds(render_figure(figure(), FileFormat::png),
                         {"iTXtemergence-config", "gamma = 0.9\nnote = \"a -- <b> & c\"\n"});
    // Text of several lines is written as UTF-16: here, "gamma".
    testing::check_holds(render_figure(figure(), FileFormat::pdf), {"/Keywords <FEFF00670061006D006D0061"});
}

TEST_CASE("the same figure is the same file, whatever was drawn before and for which format") {
    DrawnFigure drawn(figure());
    for (const FileFormat format :
         {FileFormat::png, FileFormat::csv, FileFormat::pdf, FileFormat::svg, FileFormat::png}) {
        render_figure(FigureSpec{}, FileFormat::svg);
        CHECK(drawn.bytes(format) == render_figure(figure(), format));
    }
}

TEST_CASE("a figure without cells, and cells without data, are drawn") {
    FigureSpec spec;
    for (const FileFormat format : kFormats) CHECK_FALSE(render_figure(spec, format).empty());
    PlotSpec nothing = plot();
    nothing.series = {{"all missing", {0, 1}, {{kMissing, kMissing}}, 0, false}, {"no rows", {0, 1}, {}, 1, false}};
    PlotSpec logarithmic = plot();
    logarithmic.y.scale = logarithmic.x.scale = Scale::logarithmic;
    HeatmapSpec odd = sample_heatmap();
    odd.limit = 0.0;
    odd.norm = kMissing;
    odd.row_blocks = {{"more rows than there are", 12}};
    spec.cells = {{PlotSpec{}, 0, 0}, {nothing, 0, 1}, {HeatmapSpec{}, 1, 0}, {odd, 1, 1}, {logarithmic, 2, 0, 1, 2}};
    for (const FileFormat format : kFormats) CHECK_FALSE(render_figure(spec, format).empty());
    testing::check_holds(render_figure(spec, FileFormat::svg), {">no data</text>"});
}

TEST_CASE("a plot is exported as it is drawn: hidden series, scales") {
    const auto svg_of = [](const PlotSpec& shown) {
        FigureSpec spec;
        spec.cells = {{shown, 0, 0}};
        return render_figure(spec, FileFormat::svg);
    };
    PlotSpec base = plot();
    base.series[0].rows[0][0] = 0.0;
    base.series[0].rows[1][0] = 0.0;
    PlotView view;
    const std::string plain = svg_of(shown_as(base, view));
    testing::check_holds(plain, {">value difference</text>", ">batch TD &lt;ref&gt;</text>"});
    view.hidden = {"value difference"};
    const std::string without = svg_of(shown_as(base, view));
    testing::check_holds(without, {"Hidden: value difference."});  // what the file says of itself
    CHECK(without.find("value difference", without.find("</desc>")) == std::string::npos);
    view.hidden.clear();
    view.y_scale = Scale::logarithmic;
    testing::check_holds(svg_of(shown_as(base, view)), {">1 point ≤ 0 not shown</text>"});
}

TEST_CASE("a specification that cannot be laid out is refused with its name") {
    FigureSpec spec = figure();
    spec.width_inches = 0.0;
    CHECK_THROWS_WITH_AS(render_figure(spec, FileFormat::svg),
                         "figure 'both': its size is 0 x 5 inches; each side must be above 0 and at most 200",
                         InputError);
    spec = figure();
    spec.cells[0].column = -1;
    CHECK_THROWS_AS(render_figure(spec, FileFormat::svg), InputError);
}

TEST_CASE("letters that the font cannot set are told, others are not") {
    FigureSpec spec = figure();
    const auto told = [&](const std::string& title) {
        spec.title = title;
        DrawnFigure drawn(spec);
        (void)drawn.bytes(FileFormat::svg);
        return drawn.notice();
    };
    CHECK(told("Größe λ₂ – Я") == "");
    for (const char* letters : {"שלום", "世界", "مرحبا", "हिन्दी"})
        CHECK(testing::holds(told(letters), "would be drawn wrongly"));
}

TEST_CASE("a drawing is exported beside plots, its words as text and its numbers as data") {
    FigureSpec spec = figure();
    spec.cells.push_back({drawing(), 1, 0, 1, 2});
    const std::string svg = render_figure(spec, FileFormat::svg);
    for (const char* words : {"A drawn world", "state 7", "theta is an eighth"}) CHECK(testing::holds(svg, words));
    const std::string csv = render_figure(spec, FileFormat::csv);
    CHECK(testing::holds(csv, "world,number,theta,,,,,,0.125\n"));
    for (const FileFormat format : kFormats) CHECK(render_figure(spec, format).size() > 1000);
}

TEST_CASE("pictures of one web page do not share the ids of their clips") {
    FigureSpec one;
    one.cells = {{plot(), 0, 0}};
    FigureSpec other = one;
    std::get<PlotSpec>(other.cells[0].content).series[0].rows[0][1] = 2.5;
    const auto ids = [](const FigureSpec& figure) {
        const std::string svg = render_figure(figure, FileFormat::svg);
        std::set<std::string> found;
        for (size_t at = 0; (at = svg.find("clipPath id=\"", at)) != std::string::npos;) {
            at += 13;
            const std::string id = svg.substr(at, svg.find('"', at) - at);
            CHECK(found.insert(id).second);
            CHECK(testing::holds(svg, "url(#" + id + ")"));
        }
        CHECK(svg.find('\x1a') == std::string::npos);
        return found;
    };
    const std::set<std::string> of_one = ids(one), of_other = ids(other);
    REQUIRE_FALSE(of_one.empty());
    for (const std::string& id : of_one) CHECK(of_other.count(id) == 0);
    CHECK(ids(one) == of_one);
}

TEST_CASE("a panel with numbers that cannot be drawn does not cost the page") {
    for (const double value : {1e-308, -5e-324, 1.7e308, -1e308}) {
        CAPTURE(value);
        FigureSpec figure;
        figure.column_weights = {1, 1, 1};
        PlotSpec bent = plot(), logarithmic = plot();
        bent.series[0].rows = {{value, value, value}};
        bent.series[0].x = {0, value, 1};
        logarithmic.y.scale = Scale::logarithmic;
        logarithmic.series[0].rows = {{value, 1.0, -value}};
        HeatmapSpec map = plain_heatmap("m", "m", Table(2, 2, value));
        figure.cells = {{bent, 0, 0}, {logarithmic, 0, 1}, {map, 0, 2}};
        for (const FileFormat format : kFormats) CHECK_FALSE(render_figure(figure, format).empty());
        CHECK(draw_pixels(figure, 300, 200, {}).width > 0);
    }
}

TEST_CASE("a picture that memory should not hold is refused before it is drawn, with what would fit") {
    FigureSpec figure;
    figure.name = "poster";
    figure.width_inches = figure.height_inches = 190.0;
    figure.cells = {{plot(), 0, 0}};
    const std::string why = testing::message_of<InputError>([&] { render_figure(figure, FileFormat::png); });
    CHECK(why.find("figure 'poster': 190 x 190 inches at 150 dots per inch are 812 million dots") == 0);
    CHECK(testing::holds(why, "use --dpi 57 or less"));
    CHECK_FALSE(render_figure(figure, FileFormat::pdf).empty());
    CHECK_NOTHROW(check_pixels(10, 8, {.dots_per_inch = 1200}, "a"));
    CHECK_THROWS_AS(check_pixels(20, 10, {.dots_per_inch = 1200}, "a"), InputError);
}

}  // namespace emergence
