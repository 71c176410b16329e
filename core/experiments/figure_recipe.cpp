#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/experiments/figure_recipe.h"
#include "core/files/text.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// "Emerged: L = 1: 30 of 30; L = 2: 24 of 30. ". Empty if the experiment has no rule of emergence, or if the
// list would be too long to read.
std::string emerged_text(const std::vector<FinishedRun>& runs) {
    constexpr size_t kMostListed = 8;
    if (runs.front().snapshot.emergence_rule.empty() || runs.size() > kMostListed) return "";
    const auto share = [](const FinishedRun& run) {
        const Fraction emerged = emerged_fraction(run.snapshot);
        return fmt::format("{}: {} of {}", run.label, emerged.count, emerged.total);
    };
    return "Emerged: " + listed(runs, share, "; ") + ". ";
}

size_t count_failed(const Snapshot& snapshot) { return snapshot.seeds.size() - live_seeds(snapshot).size(); }

// "Failed and left out of means: L = 1: 2 of 8. "
std::string failed_text(const std::vector<FinishedRun>& runs) {
    std::string text;
    for (const FinishedRun& run : runs)
        if (const size_t failed = count_failed(run.snapshot); failed > 0)
            text += fmt::format("{}{}{}{} of {}", text.empty() ? "Failed and left out of means: " : "; ", run.label,
                                run.label.empty() ? "" : ": ", failed, run.snapshot.seeds.size());
    return text.empty() ? "" : text + ". ";
}

// What the caption says about the runs; about a single one " (1 of 8 failed and are left out), 400 MRPs, 7 of 8
// emerged. ".
std::string runs_text(const MadeFigure& made) {
    const Snapshot& first = made.runs.front().snapshot;
    const std::string steps = fmt::format(", {} {}", first.step, first.step_unit);
    if (made.runs.size() > 1 || !made.runs.front().label.empty())
        return steps + ". " + emerged_text(made.runs) + failed_text(made.runs) +
               (made.failures.empty() ? "" : fmt::format("{} runs failed and are left out. ", made.failures.size()));
    const size_t failed = count_failed(first), seeds = first.seeds.size();
    const std::string left_out = failed == 0 ? "" : fmt::format(" ({} of {} failed and are left out)", failed, seeds);
    const Fraction emerged = emerged_fraction(first);
    return left_out + steps +
           (first.emergence_rule.empty() ? ". " : fmt::format(", {} of {} emerged. ", emerged.count, emerged.total));
}

std::string full_caption(const FigureRecipe& recipe, const Draft& draft) {
    // An existing run's caption is followed by its provenance, which states the version.
    if (recipe.after.empty() && recipe.of_any_run) return draft.caption;
    if (recipe.after.empty())
        return fmt::format("{}{}{}Emergence {}.", draft.caption, draft.caption.ends_with(' ') ? "" : " ",
                           failed_text(draft.runs()), version());
    return fmt::format("After {}. {} All seeds are pooled{}Curves: {}. Emergence {}.", recipe.after, draft.caption,
                       runs_text(draft.made), recipe.curves, version());
}

// Draws the recipe of finished runs. The figure stays empty if there is nothing to draw.
MadeFigure drawn(const FigureRecipe& recipe, Draft draft) {
    draft.page = recipe.page;
    draft.name = recipe.name;
    draft.caption = recipe.caption;
    recipe.draw(draft);
    for (const MeasuredClaim& one : draft.made.measured)
        check(contains(recipe.measures, one.name), "a recipe declares what it measures");
    FigureSpec& figure = draft.made.figure;
    if (draft.made.stopped || figure.cells.empty()) return std::move(draft.made);
    figure.name = draft.name;
    figure.title = draft.page.title;
    figure.column_weights = draft.page.columns;
    figure.row_weights = draft.page.rows;
    figure.width_inches = draft.page.width;
    figure.height_inches = draft.page.height;
    figure.caption = full_caption(recipe, draft);
    return std::move(draft.made);
}

// The settings in which saved runs differ count as chosen by the runs themselves.
std::vector<GridConfig> configs_of(const std::vector<FinishedRun>& saved) {
    std::vector<GridConfig> configs;
    for (const FinishedRun& run : saved) {
        GridConfig& config = configs.emplace_back();
        config.label = run.label;
        config.settings = run.snapshot.settings;
        for (const FieldInfo& field : config.settings.fields())
            if (any_of(saved, [&](const FinishedRun& other) {
                    return other.snapshot.settings.value(field.name) != config.settings.value(field.name);
                }))
                config.own.push_back(field.name);
    }
    return configs;
}

std::vector<GridConfig> planned(const FigureRecipe& recipe, const ExperimentInfo& info, const Settings& settings) {
    std::vector<GridConfig> runs;
    if (recipe.saved) return configs_of(*recipe.saved);
    if (recipe.plan) runs = recipe.plan(info, settings);
    for (const RecipeRun& run : recipe.runs) runs.push_back(config_with(run.label, settings, run.changes));
    if (runs.empty()) runs.push_back({"", settings});
    return runs;
}

}  // namespace

GridConfig config_with(std::string label, Settings settings, const std::vector<Change>& changes) {
    GridConfig config{std::move(label), std::move(settings)};
    for (const Change& change : changes) {
        config.settings.set(change.name, change.value);
        config.own.push_back(change.name);
    }
    return config;
}

bool Draft::train(const std::vector<GridConfig>& configs) {
    StudyGrid grid = run_studies(*info, configs, options);
    made.runs = std::move(grid.runs);
    made.failures = std::move(grid.failures);
    made.stopped = grid.stopped;
    for (const FinishedRun& run : made.runs)
        for (const std::string& notice : run.snapshot.notices)
            if (!contains(made.notices, notice)) made.notices.push_back(notice);
    if (made.stopped) return false;
    const auto empty = find_if(made.runs, [](const FinishedRun& run) { return run.snapshot.seeds.empty(); });
    if (empty == made.runs.end()) return true;
    made.notices.push_back(fmt::format("not drawn, because no network{}{} could be trained",
                                       empty->label.empty() ? "" : " of ", empty->label));
    return false;
}

void Draft::add(CellContent content) {
    const int columns = static_cast<int>(page.columns.size()), at = static_cast<int>(made.figure.cells.size());
    add(std::move(content), at / columns, at % columns);
}

void Draft::add(CellContent content, int row, int column) {
    made.figure.cells.push_back({std::move(content), row, column, 1, 1});
}

void Draft::measure(const std::string& claim, Measurement measurement) {
    made.measured.push_back({claim, std::move(measurement)});
}

void Draft::measure(const std::string& claim, double value, const std::string& detail) {
    measure(claim, Measurement{value, detail});
}

void Draft::measure(const std::string& claim, const Fraction& fraction, const std::string& detail) {
    const std::string count = fmt::format("{} of {}", fraction.count, fraction.total);
    measure(claim, Measurement{fraction.value, detail.empty() ? count : count + "; " + detail,
                               Range{fraction.low, fraction.high}, fraction.total});
}

void rehearse(const FigureRecipe& recipe, const ExperimentInfo& info, const Settings& asked) {
    if (recipe.saved) return;
    const std::vector<GridConfig> runs = planned(recipe, info, asked);
    Draft draft(&info, settings_of(runs), {});
    ThreadPool pool(1);
    for (const GridConfig& config : runs) {
        Settings settings = config.settings;
        if (settings.has("seeds")) settings.set("seeds", smaller<int64_t>(2, settings.integer("seeds")));
        Run run((config.experiment ? *config.experiment : info).make(settings), pool);
        MetricHistory history(run.study().metrics(), run.num_seeds());
        for (const MetricRow& row : run.advance_to(0)) history.append(row);
        draft.made.runs.push_back({config.label, run.snapshot(), std::move(history), run.study().metric_plots()});
    }
    (void)drawn(recipe, std::move(draft));
}

FigureInfo figure_of(FigureRecipe recipe) {
    FigureInfo figure{.name = recipe.name, .title = recipe.title, .preset = recipe.name};
    figure.width_inches = recipe.page.width;
    figure.height_inches = recipe.page.height;
    figure.check = [recipe](const ExperimentInfo& info, const Settings& asked) {
        try {
            rehearse(recipe, info, asked);
        } catch (const InputError& error) {
            throw InputError("figure {}: cannot be drawn with these settings: {}", recipe.name, error.what());
        }
    };
    if (recipe.of_any_run)
        figure.draw = [recipe](const Snapshot& snapshot, const MetricHistory& history) {
            Draft draft(nullptr, snapshot.settings, {});
            draft.made.runs.push_back({"", snapshot, history});
            return drawn(recipe, std::move(draft));
        };
    figure.measures = recipe.measures;
    for (const Change& change : recipe.start) figure.start.emplace_back(change.name, change.value);
    figure.plan = [recipe](const ExperimentInfo& info, const Settings& asked) { return planned(recipe, info, asked); };
    figure.build = [recipe = std::move(recipe)](const ExperimentInfo& info, const Settings& asked,
                                                const GridOptions& options) {
        const std::vector<GridConfig> runs = planned(recipe, info, asked);
        Draft draft(&info, settings_of(runs), options);
        if (recipe.saved)
            draft.made.runs = *recipe.saved;
        else if (!draft.train(runs))
            return std::move(draft.made);
        MadeFigure made = drawn(recipe, std::move(draft));
        if (made.figure.cells.empty()) return made;
        made.figure.caption += " " + made_text(made);
        made.figure.config = figure_config(info.name, recipe.name, runs_of(made));
        return made;
    };
    return figure;
}

PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title, const std::string& as) {
    const auto renamed = [&](PlotSpec plot) {
        if (!title.empty()) plot.title = title;
        if (!as.empty()) plot.id = as;
        return plot;
    };
    for (const MetricPlot& description : run.plots)
        if (description.id == id)
            return renamed(
                run.history.plot(description, {run.snapshot.step_unit, "", Scale::linear, 0.0}, run.snapshot.step));
    for (const PlotSpec& plot : run.snapshot.plots)
        if (plot.id == id) return renamed(plot);
    throw InputError(unknown_name("plot", id, picture_ids(run.plots, run.snapshot).plots));
}

HeatmapSpec heatmap_of_run(const FinishedRun& run, const std::string& name, const MatrixView& view) {
    if (const NamedMatrix* matrix = find_matrix(run.snapshot, name)) return heatmap_of(run.snapshot, *matrix, view);
    throw InputError(unknown_name("matrix", name, picture_ids(run.plots, run.snapshot).matrices));
}

std::vector<size_t> live_seeds(const Snapshot& snapshot) {
    std::vector<size_t> places;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k)
        if (!snapshot.seeds[k].failed) places.push_back(k);
    return places;
}

SeedRows final_values(const FinishedRun& run, const std::string& metric) {
    SeedRows rows;
    for (const SeedValue& one : values(RunView(run), metric_quantity(metric)))
        if (!one.failed) rows.push_back({one.value});
    return rows;
}

Summary final_summary(const FinishedRun& run, const std::string& metric) {
    return summarise(final_values(run, metric), 0);
}

SeedRows logged_values(const FinishedRun& run, const std::string& metric) {
    SeedRows rows;
    for (const size_t k : live_seeds(run.snapshot)) rows.push_back(run.history.column(metric, static_cast<int>(k)));
    return rows;
}

void add_point(Series& series, double x, const SeedRows& values) {
    const size_t points = series.x.size();
    series.x.push_back(x);
    series.rows.resize(larger(series.rows.size(), values.size()));
    for (size_t k = 0; k < series.rows.size(); ++k) {
        series.rows[k].resize(points, kMissing);
        series.rows[k].push_back(k < values.size() && !values[k].empty() ? values[k][0] : kMissing);
    }
}

Summary summary_at(const std::vector<std::vector<double>>& rows, const Places& places, size_t column) {
    std::vector<double> values;
    for (const size_t place : places)
        if (place < rows.size() && column < rows[place].size() && std::isfinite(rows[place][column]))
            values.push_back(rows[place][column]);
    return summarise(values, true);
}

std::string mean_text(const Summary& summary) { return fmt::format("{:.3g}{}", summary.mean, plus_minus(summary)); }

Fraction emerged_fraction(const Snapshot& snapshot) {
    const auto count = count_if(snapshot.seeds, [](const SeedStatus& seed) { return seed.emerged; });
    return fraction(static_cast<int>(count), static_cast<int>(snapshot.seeds.size()));
}

}  // namespace emergence
