#include "app/lessons/worksheet.h"

#include <fmt/format.h>

#include <utility>
#include <variant>
#include <vector>

#include "app/export/export.h"
#include "core/base/error.h"
#include "core/base/markup.h"
#include "core/lab/figures/figures.h"
#include "core/lab/views/picture_places.h"

namespace emergence {
namespace {

constexpr double kPageWidth = 6.7;  // inches: a page without its margins

constexpr const char* kSheetStyle = R"(@page { size: A4; margin: 18mm; }
body { font: 11pt/1.45 system-ui, sans-serif; max-width: 174mm; margin: 0 auto; padding: 0 4mm; color: #111; }
header p { display: flex; gap: 8mm; } header span { flex: 1; border-bottom: 1px solid #888; }
section { break-inside: avoid; margin: 0 0 9mm; } h1 { font-size: 17pt; } h2 { font-size: 12pt; margin: 0 0 1mm; }
img { max-width: 100%; max-height: 105mm; } ul { list-style: none; padding: 0; } li { margin: 1mm 0; }
.line { border-bottom: 1px solid #bbb; height: 8mm; } .answer { border-left: 3px solid #444; padding-left: 4mm; }
)";

// A picture inside the page: bytes that a URL may not hold are spelt.
std::string image(const FigureSpec& figure) {
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
    return fmt::format("<p><img alt=\"\" src=\"data:image/svg+xml,{}\"></p>\n", url);
}

// The axes into which a curve is to be drawn.
FigureSpec empty_axes(const SketchPrediction& sketch, const std::string& along) {
    PlotSpec plot;
    plot.id = "sketch";
    plot.title = sketch.curve;
    plot.x.label = along;
    plot.x.minimum = sketch.left;
    plot.x.maximum = sketch.right;
    plot.y.minimum = sketch.bottom;
    plot.y.maximum = sketch.top;
    plot.series.push_back({});
    FigureSpec figure;
    figure.cells.push_back({plot});
    figure.width_inches = kPageWidth;
    figure.height_inches = 0.45 * kPageWidth;
    return figure;
}

// Plays the lesson and knows which pictures a step shows.
class PaperHost : public HeadlessHost {
  public:
    using HeadlessHost::HeadlessHost;
    void show(const LessonStep& step, bool, const std::vector<std::string>& covered) override {
        shown_ = {step, covered};
    }
    std::string picture() const {
        const Snapshot now = snapshot();
        const Study& study = run().study();
        ShownPanels panels = panels_of(study, now, history());
        for (const Scene& scene : now.scenes) {
            SceneMoment moment = moment_of(scene, typical_moment(scene));
            moment.drawing.id = scene.id;
            panels.scenes.push_back(std::move(moment));
        }
        const Staging staging = lesson_staging(staging_in(start().view), shown_.first, shown_.second);
        const PicturePlaces places = place_pictures(staging, picture_ids(study.metric_plots(), now));
        panels.stage = places.stage;
        const ShownPanels stage = on_stage(panels);
        if (stage.plots.empty() && stage.heatmaps.empty() && stage.scenes.empty()) return "";
        return image(build_figure({FigureChoice::Kind::stage, 0, "stage", ""}, experiment(), now, history(), panels));
    }

  private:
    std::pair<LessonStep, std::vector<std::string>> shown_;
};

std::string lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "<div class=\"line\"></div>\n";
    return text;
}

// Room for the answer, or the right one.
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
    return with_answers ? "" : image(empty_axes(std::get<SketchPrediction>(predict), player.sketched_axis()));
}

}  // namespace

std::string worksheet(const Lesson& lesson, const std::filesystem::path& folder, const FindExperiment& find,
                      int threads, bool with_answers, const std::function<bool(size_t)>& on_step) {
    struct Stopped {};
    std::string page = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>\n{1}</style>\n"
        "<header>\n<h1>{0}{2}</h1>\n",
        markup_text(lesson.title), kSheetStyle, with_answers ? ": answers" : "");
    if (!with_answers) page += "<p>Name: <span></span> Date: <span></span></p>\n";
    page += "</header>\n";
    PaperHost host(folder, find, threads);
    size_t number = 0;
    const auto asked = [&](const LessonPlayer& player) {
        page += fmt::format("<section>\n<h2>{} of {}</h2>\n<p>{}</p>\n", number + 1, player.size(),
                            markup_text(player.text()));
        page += host.picture() + answer_room(player, with_answers) + "</section>\n";
    };
    const auto answered = [&](const RehearsedStep& step) {
        ++number;
        if (!step.failure.empty())
            throw InputError(fmt::format("{}: step {}: {}", lesson.source, number, step.failure));
        if (with_answers && !step.reveal.empty())
            page += fmt::format("<section class=\"answer\">\n<p>{}</p>\n{}</section>\n", markup_text(step.reveal),
                                host.picture());
        if (on_step && !on_step(number)) throw Stopped();
    };
    try {
        rehearse(lesson, host, answered, asked);
    } catch (const Stopped&) {
        return "";
    }
    return page + "</html>\n";
}

}  // namespace emergence
