#include "app/lessons/worksheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "app/export/export.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/figures/figures.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/describe.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr double kPageWidth = 6.7;  // inches, a page without its margins

constexpr const char* kSheetStyle = R"(@page { size: A4; margin: 18mm; }
body { font: 11pt/1.45 system-ui, sans-serif; max-width: 174mm; margin: 0 auto; padding: 0 4mm; color: #111; }
header p { display: flex; gap: 8mm; } header span { flex: 1; border-bottom: 1px solid #888; }
section { break-inside: avoid; margin: 0 0 9mm; } h1 { font-size: 17pt; } h2 { font-size: 12pt; margin: 0 0 1mm; }
img { max-width: 100%; max-height: 105mm; } ul { list-style: none; padding: 0; } li { margin: 1mm 0; }
.line { border-bottom: 1px solid #bbb; height: 8mm; } .answer { border-left: 3px solid #444; padding-left: 4mm; }
)";

// Describes the pictures in words, for readers who do not see them. Each gets its first sentences, which say what it is
// and what stands out.
std::string alternative_of(FigureSpec figure) {
    constexpr size_t kMost = 700;  // for one picture, because it is read aloud
    figure.title.clear();
    figure.caption.clear();
    std::string text;
    for (const Description& one : describe(figure)) {
        std::string said = one.title + (one.title.empty() ? "" : ".");
        for (const std::string& sentence : one.sentences) {
            if (said.size() + sentence.size() > kMost) break;
            said += " " + sentence;
        }
        text += (text.empty() ? "" : " ") + said;
    }
    return text;
}

// Writes a picture inside the page, and spells bytes that a URL may not hold.
std::string image(const FigureSpec& figure, const std::string& alternative) {
    PageFormat page;
    page.width_inches = kPageWidth;
    page.caption = false;
    std::string url;
    for (const char c : render_figure(figure, FileFormat::svg, page)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte > ' ' && byte < 127 && c != '%' && c != '#' && c != '"' && c != '<' && c != '>';
        if (plain || c == ' ')
            url += c;
        else
            url += fmt::format("%{:02X}", byte);
    }
    return fmt::format("<p><img alt=\"{}\" src=\"data:image/svg+xml,{}\"></p>\n", markup_text(alternative), url);
}

// Draws the axes into which the reader draws a curve.
std::string empty_axes(const SketchPrediction& sketch, const std::string& along) {
    PlotSpec plot;
    plot.id = "sketch";
    plot.title = sketch.curve;
    plot.x.label = along;
    plot.x.minimum = sketch.left;
    plot.x.maximum = sketch.right;
    plot.y.minimum = sketch.bottom;
    plot.y.maximum = sketch.top;
    FigureSpec figure;
    figure.cells.push_back({plot});
    figure.width_inches = kPageWidth;
    figure.height_inches = 0.45 * kPageWidth;
    return image(figure, fmt::format("Empty axes for the curve {}: {} from {} to {}, height from {} to {}.",
                                     sketch.curve, along.empty() ? "across" : along, spoken(sketch.left),
                                     spoken(sketch.right), spoken(sketch.bottom), spoken(sketch.top)));
}

// Before a run begins no curve has a second point, so its picture would show bare axes.
bool is_bare(const PlotSpec& plot) {
    return plot.lines.empty() && all_of(plot.series, [](const Series& series) {
               const auto enough = series.points || series.bars ? 1 : 2;
               return all_of(series.rows, [&](const std::vector<double>& row) {
                   return count_if(row, [](double y) { return std::isfinite(y); }) < enough;
               });
           });
}

// Shows a matrix of every seed as one picture, row by row, each divided by its own largest entry.
HeatmapSpec tiles(const Snapshot& now, const NamedMatrix& matrix) {
    const int count = static_cast<int>(matrix.seeds.size());
    const int across = static_cast<int>(std::ceil(std::sqrt(1.5 * count))), down = (count + across - 1) / across;
    const int rows = matrix.seeds.front().rows, columns = matrix.seeds.front().columns;
    HeatmapSpec map;
    map.id = matrix.name + " seeds";
    map.title = fmt::format("{}, every seed", matrix.title.empty() ? matrix.name : matrix.title);
    map.note = fmt::format("{}, row by row; each divided by its own largest entry", seed_list_text(now.seeds));
    map.values = Table(down * rows, across * columns);
    for (int i = 0; i < count; ++i) {
        const Table one = heatmap_of(now, matrix, {.seed_index = i}).values;
        for (int row = 0; row < one.rows; ++row)
            for (int column = 0; column < one.columns; ++column)
                map.values(i / across * rows + row, i % across * columns + column) = one(row, column);
    }
    for (int row = 0; row < down; ++row) map.row_blocks.push_back({fmt::format("{}", row * across), rows});
    map.column_blocks.assign(static_cast<size_t>(across), {"", columns});
    return map;
}

// Adds run B's lines and learned matrices.
void add_other(ShownPanels& panels, ShownPanels of_b) {
    overlay(panels.plots, of_b.plots);
    const auto is_learned = [](const HeatmapSpec& map) { return !map.id.ends_with(" theory"); };
    for (HeatmapSpec& map : panels.heatmaps)
        if (is_learned(map)) map.title += ", A";
    for (HeatmapSpec& map : of_b.heatmaps) {
        if (!is_learned(map)) continue;
        map.id += " B";
        map.title += ", B";
        panels.heatmaps.push_back(std::move(map));
    }
}

struct PrintingStopped {};

// Plays the lesson, says how far it is, and knows which pictures a step shows.
class PaperHost : public HeadlessHost {
  public:
    using Say = std::function<bool(const std::string&)>;
    PaperHost(const std::filesystem::path& folder, const FindExperiment& find, int threads, const Say& say)
        : HeadlessHost(folder, find, threads), say_(say) {}

    /// From here on it plays this step.
    void begin(const LessonPlayer& player) {
        step_ = fmt::format("step {} of {}", player.index() + 1, player.size());
        end_ = player.awaited_step();
        say(step_);
    }
    void show(const LessonStep& step, bool, const std::vector<std::string>& covered) override {
        shown_ = {step, covered};
    }
    /// The picture of the stage, and of all seeds if they stand beside it. It is "" if a curve is to be drawn in its
    /// place, or if nothing is visible yet.
    std::string picture() const {
        const auto& [step, covered] = shown_;
        const bool hides_all =
            all_of(step.stage, [&hidden = shown_.second](const auto& id) { return contains(hidden, id); });
        const bool sketched = step.predict && std::holds_alternative<SketchPrediction>(*step.predict);
        if (sketched && hides_all && !step.stage.empty()) return "";
        const Snapshot now = snapshot();
        const Study& study = run().study();
        ShownPanels panels = panels_of(study, now, history());
        if (other() != nullptr)
            add_other(panels, panels_of(other()->run->study(), other()->run->snapshot(), other()->history));
        const Staging staging = lesson_staging(staging_in(start().view), step, covered);
        panels.stage = place_pictures(staging, picture_ids(study.metric_plots(), now)).stage;
        if (contains(panels.stage, kSeedTiles) || contains(staging.wings, kSeedTiles)) {
            std::erase(panels.stage, kSeedTiles);
            panels.heatmaps = on_stage(panels).heatmaps;
            for (const NamedMatrix& matrix : now.matrices) panels.heatmaps.push_back(tiles(now, matrix));
            panels.stage.push_back(kSeedTiles);
        }
        std::erase_if(panels.plots, is_bare);
        const ShownPanels stage = on_stage(panels);
        if (stage.plots.empty() && stage.heatmaps.empty() && stage.scenes.empty()) return "";
        const FigureSpec figure =
            build_figure({FigureChoice::Kind::stage, 0, "stage", ""}, experiment(), now, history(), panels);
        return image(figure, alternative_of(figure));
    }

  protected:
    void advance(Follower& follower, int64_t step) override {
        HeadlessHost::advance(follower, step);
        const Study& study = follower.run->study();
        const int64_t end = std::min(end_.value_or(study.target_step()), study.target_step());
        if (step > 0) say(fmt::format("{}: {} of {} {}", step_, std::min(step, end), end, study.step_unit()));
    }

  private:
    void say(const std::string& text) const {
        if (say_ && !say_(text)) throw PrintingStopped();
    }

    const Say& say_;
    std::string step_;
    std::optional<int64_t> end_;  // empty if the run's own end holds
    std::pair<LessonStep, std::vector<std::string>> shown_;
};

std::string lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "<div class=\"line\"></div>\n";
    return text;
}

// Leaves room for the answer, or shows the right one.
std::string answer_room(const LessonPlayer& player, bool with_answers) {
    if (!player.step().predict) return with_answers ? "" : lines(2);
    const Prediction& predict = *player.step().predict;
    if (const auto* choice = std::get_if<ChoicePrediction>(&predict)) {
        std::string text = "<ul>\n";
        for (size_t i = 0; i < choice->choices.size(); ++i)
            text += fmt::format("<li>{} {}</li>\n", with_answers && static_cast<int>(i) == choice->answer ? "☑" : "☐",
                                markup_text(choice->choices[i]));
        return text + "</ul>\n" + (with_answers ? "" : "<p>Because:</p>\n" + lines(2));
    }
    if (const auto* block = std::get_if<BlockPrediction>(&predict))
        return with_answers
                   ? fmt::format("<p>Rows {}, columns {}.</p>\n", markup_text(block->rows), markup_text(block->columns))
                   : "<p>Mark the block in the picture.</p>\n" + lines(1);
    return with_answers ? "" : empty_axes(std::get<SketchPrediction>(predict), player.sketched_axis());
}

std::string head(const Lesson& lesson, bool with_answers) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>\n{1}</style>\n"
        "<header>\n<h1>{0}{2}</h1>\n{3}</header>\n",
        markup_text(lesson.title), kSheetStyle, with_answers ? ": answers" : "",
        with_answers ? "" : "<p>Name: <span></span> Date: <span></span></p>\n");
}

}  // namespace

Worksheet worksheet(const Lesson& lesson, const std::filesystem::path& folder, const FindExperiment& find, int threads,
                    const std::function<bool(const std::string&)>& say) {
    Worksheet pages{head(lesson, false), head(lesson, true)};
    PaperHost host(folder, find, threads, say);
    size_t number = 0;
    std::string picture;  // the picture of the question
    const auto asked = [&](const LessonPlayer& player) {
        host.begin(player);
        picture = host.picture();
        const std::string question = fmt::format("<section>\n<h2>{} of {}</h2>\n<p>{}</p>\n{}", ++number, player.size(),
                                                 markup_text(player.text(true)), picture);
        pages.questions += question + answer_room(player, false) + "</section>\n";
        pages.answers += question + answer_room(player, true) + "</section>\n";
    };
    const auto answered = [&](const RehearsedStep& step) {
        if (!step.failure.empty()) throw InputError("{}: step {}: {}", lesson.source, number, step.failure);
        if (step.reveal.empty()) return;
        const std::string now = host.picture();
        pages.answers += fmt::format("<section class=\"answer\">\n<p>{}</p>\n{}</section>\n", markup_text(step.reveal),
                                     now == picture ? "" : now);
    };
    try {
        rehearse(lesson, host, answered, asked);
    } catch (const PrintingStopped&) {
        return {};
    }
    pages.questions += "</html>\n";
    pages.answers += "</html>\n";
    return pages;
}

}  // namespace emergence
