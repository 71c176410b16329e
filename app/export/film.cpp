#include "app/export/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Says what the matrices are. Their notes are left out: they contain numbers of the moment, and their changing lines
// would move the pictures.
std::string treatment(FigureSpec& figure, size_t seeds) {
    bool any = false, scaled = false;
    for (FigureCell& cell : figure.cells) {
        auto* map = std::get_if<HeatmapSpec>(&cell.content);
        if (map == nullptr) continue;
        any = true;
        scaled = scaled || map->unit == "scaled";
        map->note.clear();
        map->norm.reset();
    }
    return !any ? ""
                : fmt::format(" Matrices: {}{}.", seeds == 1 ? "one seed" : fmt::format("mean of {} seeds", seeds),
                              scaled ? ", each divided by its largest entry" : "");
}

}  // namespace

FilmMoment film_moment(const Study& study, Snapshot snapshot, const MetricHistory& history) {
    FilmMoment moment{std::move(snapshot), {}, {}};
    moment.panels = panels_of(study, moment.snapshot, history);
    moment.ids = picture_ids(study.metric_plots(), moment.snapshot);
    return moment;
}

FilmedRun::FilmedRun(const ExperimentInfo& info, Staging staging, MetricHistory history,
                     std::vector<FilmMoment> moments)
    : info_(info), staging_(std::move(staging)), history_(std::move(history)), moments_(std::move(moments)) {
    for (const FilmMoment& moment : moments_)
        for (PlotSpec plot : moment.panels.plots) {
            set_ranges(plot, shapes_of(plot), {});
            if (!plot.y.minimum || !plot.y.maximum) continue;
            auto& [low, high] = limits_.try_emplace(plot.id, HUGE_VAL, -HUGE_VAL).first->second;
            low = std::min(low, *plot.y.minimum);
            high = std::max(high, *plot.y.maximum);
        }
}

std::vector<size_t> FilmedRun::plan(int frames) const {
    const auto first = static_cast<double>(moments_.front().snapshot.step);
    const auto last = static_cast<double>(moments_.back().snapshot.step);
    std::vector<size_t> shown;
    size_t at = 0;
    for (int i = 0; i < frames; ++i) {
        const double step = first + (last - first) * i / std::max(1, frames - 1);
        while (at + 1 < moments_.size() && static_cast<double>(moments_[at + 1].snapshot.step) <= step) ++at;
        shown.push_back(at);
    }
    return shown;
}

void FilmedRun::fix_axes(ShownPanels& panels, size_t over_steps) const {
    const auto last_step = static_cast<double>(moments_.back().snapshot.step);
    for (size_t i = 0; i < panels.plots.size(); ++i) {
        PlotSpec& plot = panels.plots[i];
        if (i < over_steps && !plot.x.maximum) plot.x.maximum = std::max(1.0, last_step);
        if (const auto known = limits_.find(plot.id); known != limits_.end())
            std::tie(plot.y.minimum, plot.y.maximum) = known->second;
    }
}

FigureSpec FilmedRun::figure(const FilmMoment& moment) const {
    ShownPanels shown = moment.panels;
    fix_axes(shown, shown.plots.size() - moment.snapshot.plots.size());
    shown.stage = place_pictures(staging_, moment.ids).stage;
    FigureSpec figure =
        build_figure({FigureChoice::Kind::stage, 0, "film", ""}, info_, moment.snapshot, history_, shown);
    figure.title = info_.title;
    figure.caption = fmt::format("{} of {} {}.{}", moment.snapshot.step, moments_.back().snapshot.step,
                                 moment.snapshot.step_unit, treatment(figure, moment.snapshot.seeds.size()));
    return figure;
}

PixelImage FilmedRun::frame(size_t moment, int width, int height) const {
    PageFormat slide;
    slide.slide = true;
    const PixelImage drawn = draw_pixels(figure(moments_[moment]), width, height, slide);
    PixelImage frame{width, height,
                     std::vector<uint32_t>(static_cast<size_t>(width) * static_cast<size_t>(height), 0xFFFFFFFFU)};
    const int left = (width - drawn.width) / 2, above = (height - drawn.height) / 2;
    for (int y = 0; y < drawn.height; ++y)
        std::copy_n(drawn.pixels.begin() + static_cast<std::ptrdiff_t>(y) * drawn.width, drawn.width,
                    frame.pixels.begin() + static_cast<std::ptrdiff_t>(y + above) * width + left);
    return frame;
}

}  // namespace emergence
